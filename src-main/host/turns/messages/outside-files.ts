import { posix } from 'node:path';
import type { GateCall } from '../../../approvals/call';
import { serverOf } from '../../../approvals/outside-sources';
import { isBelow } from '../../../base/is-below';
import type { ProjectId, ThreadId } from '../../../contract/ids';
import type { OutsideSource } from '../../../contract/shared/outside-source';
import { changesFiles, descriptorOf, displayOf, runsCommand } from '../../../harness/tools/catalogue';
import type { FileChanges } from '../../../storage/file-changes';
import type { OutsideCalls } from '../../../storage/outside-calls';

/** UTF-16 units of a result that are searched for the names of files. */
const MAX_TEXT = 200_000;
/** What separates the names of files in commands and in results. */
const SEPARATORS = /[\s'"`=<>|;&(){}$,:]+/;

/** Files that may contain text from outside, because of what their writer had in its context. */
export interface OutsideFiles {
  /** The call is about to write, or has written, something. */
  wrote(call: GateCall, sources: readonly OutsideSource[]): void;
  /** Where the text in an instruction file may come from, by its path as tools name it. None once the person has changed it. */
  ofInstructions(path: string): readonly OutsideSource[];
  /** Where the text that the call returned from such files came from. */
  readBy(call: GateCall, result: string): readonly OutsideSource[];
}

/**
 * Remembers for a project which calls wrote while their agent had text from outside in its context. What they wrote is in the
 * record of changes, so that commands are covered like file tools, in every thread and after a restart.
 */
export function outsideFilesOf(
  { outsideCalls, fileChanges }: { outsideCalls: OutsideCalls; fileChanges: Pick<FileChanges, 'ofPath'> },
  { projectId, threadId, folder }: { projectId: ProjectId; threadId: ThreadId; folder: string },
): OutsideFiles {
  /** Relative to the folder; null if it is elsewhere. */
  const inFolder = (named: unknown): string | null => {
    if (typeof named !== 'string') return null;
    const path = posix.resolve(folder, named);
    return isBelow(path, folder) ? posix.relative(folder, path) : null;
  };
  const pathOf = ({ tool, args }: GateCall): string | null => {
    const { path } = descriptorOf(tool) ?? {};
    return path === undefined ? null : inFolder(args[path.argument]);
  };
  const ofFile = (path: string | null) => (path === null ? [] : outsideCalls.ofFile(projectId, path));
  return {
    wrote: (call, sources) => {
      const writes = changesFiles(call.tool);
      if (sources.length === 0 || !(writes || runsCommand(call.tool) || serverOf(call) !== null)) return;
      const path = writes ? pathOf(call) : null;
      outsideCalls.note(projectId, { threadId, callId: call.callId, path, sources: [...sources] });
    },
    ofInstructions: (named) => {
      const path = inFolder(named);
      const last = path === null ? undefined : fileChanges.ofPath(projectId, path, 1)[0];
      return last?.author.by === 'person' ? [] : ofFile(path);
    },
    readBy: (call, result) => {
      if (displayOf(call.tool) === 'read') return ofFile(pathOf(call));
      const isCommand = runsCommand(call.tool);
      if (!isCommand && displayOf(call.tool) !== 'search' && displayOf(call.tool) !== 'job-output') return [];
      const files = outsideCalls.files(projectId);
      if (files.length === 0) return [];
      const returned = namesIn(result.slice(0, MAX_TEXT));
      const typed = isCommand ? namesIn(String(call.args.command ?? '')) : [];
      return files
        .filter(
          ({ path }) =>
            returned.some((name) => isFile(name, path)) ||
            typed.some((name) => isFile(name, path) || isFile(name, posix.basename(path))),
        )
        .flatMap(({ sources }) => sources);
    },
  };
}

const namesIn = (text: string): string[] => [...new Set(text.split(SEPARATORS))];

const isFile = (name: string, path: string): boolean => name === path || name.endsWith(`/${path}`);
