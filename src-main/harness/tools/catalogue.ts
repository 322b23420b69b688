import type { ToolDisplay } from '../../contract/shared/tool-display';
import type { ToolDescriptor, ToolEffect } from './descriptor';
import { askUser } from './descriptors/ask-user';
import {
  cancelAsyncTask,
  checkAsyncTask,
  listAsyncTasks,
  startAsyncTask,
  updateAsyncTask,
} from './descriptors/async-tasks';
import { compactConversation } from './descriptors/compact-conversation';
import { deleteFile } from './descriptors/delete';
import { editFile } from './descriptors/edit-file';
import { execute } from './descriptors/execute';
import { fetchUrl } from './descriptors/fetch-url';
import { glob } from './descriptors/glob';
import { grep } from './descriptors/grep';
import { jobOutput, listJobs, stopJob } from './descriptors/jobs';
import { ls } from './descriptors/ls';
import { readFile } from './descriptors/read-file';
import { task } from './descriptors/task';
import { writeFile } from './descriptors/write-file';
import { writeTodos } from './descriptors/write-todos';

export type { ToolDescriptor, ToolEffect } from './descriptor';

/** The built-in tools in display order. Code that creates a tool call takes the name from here. */
export const TOOLS = {
  ls,
  readFile,
  writeFile,
  editFile,
  deleteFile,
  glob,
  grep,
  execute,
  listJobs,
  jobOutput,
  stopJob,
  task,
  writeTodos,
  compactConversation,
  askUser,
  fetchUrl,
  startAsyncTask,
  checkAsyncTask,
  updateAsyncTask,
  cancelAsyncTask,
  listAsyncTasks,
} as const;

const CATALOGUE: readonly ToolDescriptor[] = Object.values(TOOLS);

const byName = new Map(CATALOGUE.map((tool) => [tool.name, tool]));

/** No other tool may have one of these names. */
export const BUILT_IN_NAMES: ReadonlySet<string> = new Set(byName.keys());

/** Undefined for tools that are not built in, such as those of an MCP server. */
export const descriptorOf = (name: string): ToolDescriptor | undefined => byName.get(name);

export const effectOf = (name: string): ToolEffect | undefined => byName.get(name)?.effect;

export const displayOf = (name: string): ToolDisplay | undefined => byName.get(name)?.display;

export const runsCommand = (name: string): boolean => effectOf(name) === 'runs';

export const writesFile = (name: string): boolean => effectOf(name) === 'writes';

export const deletesFile = (name: string): boolean => effectOf(name) === 'deletes';

/** Whether the tool writes or deletes a file. */
export const changesFiles = (name: string): boolean => writesFile(name) || deletesFile(name);

/** Whether the tool accepts the placeholder of a redacted secret: it only reads, or passes the text on within the thread. */
export const takesPlaceholders = (name: string): boolean => {
  const effect = effectOf(name);
  return effect === 'reads' || effect === 'thread' || effect === 'delegates' || effect === 'asks';
};

export const delegates = (name: string): boolean => effectOf(name) === 'delegates';

/** Whether the tool reads a web page. */
export const fetchesPage = (name: string): boolean => effectOf(name) === 'fetches';

/** Whether the tool manages a task of a remote agent. */
export const isAboutRemoteTask = (name: string): boolean => displayOf(name)?.startsWith('remote-') === true;

/** Whether the person's answer is the tool's result. */
export const asksPerson = (name: string): boolean => effectOf(name) === 'asks';

/** Names of the built-in tools with this display. */
export const namesShownAs = (display: ToolDisplay): string[] =>
  CATALOGUE.flatMap((tool) => (tool.display === display ? [tool.name] : []));

/** Names of the built-in tools with any of these effects. */
export const namesWith = (...effects: readonly ToolEffect[]): string[] =>
  CATALOGUE.flatMap(({ name, effect }) => (effects.includes(effect) ? [name] : []));
