import { Command, ReducedValue, StateSchema } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { z } from 'zod';
import {
  amount,
  anyObject,
  anyText,
  anything,
  type Checks,
  checkOptions,
  either,
  flag,
  func,
  listOf,
  objectWith,
  oneOf,
  positive,
} from '../../../base/check-options';
import { optional } from '../../../contract/shared/optional';
import { type BackendFactory, resolveBackend } from '../../backends/backend-factory';
import { isSandboxBackend } from '../../backends/commands';
import { createFileVersions, type FileVersions } from '../../backends/file-versions';
import {
  canHoldRules,
  type FilesystemPermission,
  PermissionBackend,
  PermissionRules,
  rulesCheck,
} from '../../backends/policy/permissions';
import { type BackendProtocol, type FileData, fileDataReducer } from '../../backends/protocol';
import type { AnyBackend } from '../../backends/published-protocol';
import { FILE_VERSIONS, versionsReducer } from '../../backends/seen-versions';
import { StateBackend } from '../../backends/state';
import { routePrompt } from '../../backends/tree-facts';
import { canonicalArguments } from '../../tools/arguments';
import { descriptorOf, TOOLS } from '../../tools/catalogue';
import { deleteTool } from '../../tools/delete';
import { descriptionFor } from '../../tools/descriptions';
import { editFileTool } from '../../tools/edit-file';
import { executeTool } from '../../tools/execute';
import { globTool } from '../../tools/glob';
import { grepTool } from '../../tools/grep';
import { jobOutputTool, listJobsTool, stopJobTool } from '../../tools/jobs';
import { lsTool } from '../../tools/ls';
import { readFileTool } from '../../tools/read-file';
import { type WriteOptionsOf, writeFileTool } from '../../tools/write-file';
import { answerToFailure } from '../failed-calls';
import { HUMAN_TOKEN_LIMIT, resultLimitFor } from '../limits';
import { allowManyListeners } from '../many-listeners';
import { ModelModalities, threadIdIn } from '../media/modalities';
import { askWithMedia } from '../media/scrub';
import type { DrawFrame } from '../media/video';
import { offloadCall } from '../offload';
import { backendCheck } from '../option-checks';
import deleteDescription from '../prompts/delete.md?raw';
import editDescription from '../prompts/edit_file.md?raw';
import executeDescription from '../prompts/execute.md?raw';
import globDescription from '../prompts/glob.md?raw';
import grepDescription from '../prompts/grep.md?raw';
import jobOutputDescription from '../prompts/job_output.md?raw';
import listJobsDescription from '../prompts/list_jobs.md?raw';
import lsDescription from '../prompts/ls.md?raw';
import readDescription from '../prompts/read_file.md?raw';
import stopJobDescription from '../prompts/stop_job.md?raw';
import writeDescription from '../prompts/write_file.md?raw';
import { withSection } from '../system-section';
import { seenBy } from './offload';
import { noteOffloading } from './offloading';

const { ls, readFile, writeFile, editFile, deleteFile, glob, grep, execute } = TOOLS;
/** Names of all file tools and of `execute`, in the order in which they are offered. */
export const FILE_TOOLS = [
  ls.name,
  readFile.name,
  writeFile.name,
  editFile.name,
  deleteFile.name,
  glob.name,
  grep.name,
  execute.name,
] as const;
/** A tool on files, or `execute`. */
export type FileToolName = (typeof FILE_TOOLS)[number];

/** Options of `createFilesystemMiddleware`. */
export interface FilesystemOptions {
  /** Either published form. A factory still works, with one warning. Default: files in the thread's state. */
  backend?: AnyBackend | BackendFactory;
  /** Added to the system prompt as a separate part; null adds nothing. */
  systemPrompt?: string | null;
  /** Replaces descriptions that the model reads, by tool. */
  customToolDescriptions?: Partial<Record<FileToolName, string>> | null;
  /** Tools to offer; must contain read_file. Default: all that the backend supports. */
  tools?: readonly FileToolName[] | 'all' | null;
  /** Tokens; null or 0 never offloads, and never cuts read_file results. Default: 20,000, or a fifth of a small window. */
  toolTokenLimitBeforeEvict?: number | null;
  /** Tokens from which a person's message is saved to a file; null or 0: never. */
  humanMessageTokenLimitBeforeEvict?: number | null;
  /** Called for each result that is saved to a file. */
  onOffloaded?: (callId: string, path: string) => void;
  /** Options of each write and edit, from the id of its call. Default: the call is recorded as the author. */
  writeOptions?: WriteOptionsOf;
  /**
   * Path rules for every tool; the first match decides. They cannot be enforced where commands run, so such a backend makes
   * them throw, unless `tools` omits `execute` or all rules are below routes of a composite.
   */
  permissions?: readonly FilesystemPermission[];
  /** True if the person is asked before a call that an `interrupt` rule matches. Otherwise such calls are refused. */
  asksFirst?: boolean;
  /**
   * Which file versions the agent has seen. It does not change a file that it has not seen in its current state. Default:
   * its own.
   */
  versions?: FileVersions;
  /**
   * Matches that grep shows unless the model names a number. The model may ask for up to 1,000 or this, whichever is more.
   * Null: no limit.
   */
  grepMaxCount?: number | null;
  /** Seconds; the longest timeout of a single command. Default 3,600. */
  maxExecuteTimeout?: number;
  /** The agent's model. Its modalities apply until the first request, then those of the model that was called. */
  model?: unknown;
  /** Draws a video frame for a model that supports images but not videos, if ffmpeg is missing. */
  drawFrame?: DrawFrame;
}

const CHECKS: Checks<FilesystemOptions> = {
  backend: backendCheck,
  systemPrompt: anyText,
  customToolDescriptions: objectWith(Object.fromEntries(FILE_TOOLS.map((name) => [name, anyText]))),
  tools: either(listOf(oneOf(...FILE_TOOLS), 'names of tools'), oneOf('all')),
  toolTokenLimitBeforeEvict: amount,
  humanMessageTokenLimitBeforeEvict: amount,
  onOffloaded: func,
  writeOptions: func,
  permissions: rulesCheck,
  asksFirst: flag,
  versions: anyObject,
  grepMaxCount: amount,
  maxExecuteTimeout: positive,
  model: anything,
  drawFrame: func,
};

/** The description of `execute`, with the paths that mean something else in a command. */
const withRoutes = (description: string, backend: BackendProtocol): string =>
  [description, routePrompt(backend)].filter((part) => part !== '').join('\n');

const Files = z.record(z.string(), z.custom<FileData>());
// Optional, because a turn without files changes none.
const FilesUpdate = z.record(z.string(), z.custom<FileData | null>()).optional();

const Versions = z.record(z.string(), z.string());
const VersionsUpdate = z.record(z.string(), z.string().nullable()).optional();

/** The scratch files in the state of a custom graph, for StateBackend. */
export const filesValue = new ReducedValue(Files.default({}), {
  inputSchema: FilesUpdate,
  reducer: fileDataReducer,
});

const filesState = new StateSchema({
  /** Private. Version of each file as the agent last saw it, by path. In an update, null forgets a file. At most 2,000 files. */
  [FILE_VERSIONS]: new ReducedValue(Versions.default({}), {
    inputSchema: VersionsUpdate,
    reducer: versionsReducer,
  }),
  /** Files of `StateBackend`, by path. In an update, null deletes a file. Other backends leave it empty. */
  files: filesValue,
});

/**
 * The file tools over a backend, with large results offloaded to `/large_tool_results/`. `execute` is offered only if the
 * backend can run commands, the job tools only if those can run in the background, and `delete` only if it can delete.
 */
export function createFilesystemMiddleware(options: FilesystemOptions = {}) {
  checkOptions('createFilesystemMiddleware', options, CHECKS);
  const given = options.backend ?? new StateBackend();
  const inner = resolveBackend(given);
  const { onOffloaded } = options;
  const limit = limitOr(options.toolTokenLimitBeforeEvict, resultLimitFor(windowOf(options.model)));
  const humanLimit = limitOr(options.humanMessageTokenLimitBeforeEvict, HUMAN_TOKEN_LIMIT);
  const wanted = new Set<FileToolName>(options.tools === 'all' ? FILE_TOOLS : (options.tools ?? FILE_TOOLS));
  if (!wanted.has(readFile.name)) {
    throw new Error(`${readFile.name} must be included in tools; it is required by FilesystemMiddleware`);
  }
  const rules = options.permissions ?? [];
  // A factory's backend is known only at a call. Then the backend refuses the command.
  const known = typeof given !== 'function';
  if (known && wanted.has(execute.name) && !canHoldRules(inner, new PermissionRules(rules))) {
    throw new Error(
      'Filesystem permissions cannot be used with a backend that supports command execution. ' +
        'Leave execute out of tools, or put every path under a route of a CompositeBackend.',
    );
  }
  const backend =
    rules.length === 0
      ? inner
      : new PermissionBackend(inner, rules, { interrupt: options.asksFirst ? 'allow' : 'deny' });
  const modalities = new ModelModalities(options.model);
  const refusedMedia = new Set<string>();
  const tools = toolsOf(options, { backend, inner, wanted, modalities, limit });
  const shownLimit = limit === null ? null : humanLimit;
  const made = createMiddleware({
    name: 'FilesystemMiddleware',
    stateSchema: filesState,
    tools,
    wrapModelCall: async (request, handler) => {
      const taken = modalities.note(threadIdIn(request.runtime), request.model);
      const seen = await seenBy(request.messages, inner, shownLimit);
      const answer = await askWithMedia(seen.messages, taken, refusedMedia, (messages) => {
        if (!options.systemPrompt) return Promise.resolve(handler({ ...request, messages }));
        const systemMessage = withSection(request.systemMessage, options.systemPrompt);
        return Promise.resolve(handler({ ...request, messages, systemMessage }));
      });
      return seen.evicted === null ? answer : new Command({ update: { messages: [seen.evicted] } });
    },
    wrapToolCall: async (given, handler) => {
      allowManyListeners(given.runtime.signal);
      const request = withCanonicalArguments(given);
      const result = await Promise.resolve(handler(request)).catch((error: unknown) =>
        answerToFailure(error, request.toolCall, given.runtime.signal),
      );
      if (limit === null) return result;
      return offloadCall(result, request.toolCall, {
        backend: inner,
        limit,
        keepResult: descriptorOf(request.toolCall.name)?.offloadsResult === false,
        ...optional({ onSaved: onOffloaded }),
      });
    },
  });
  return noteOffloading(made, { backend: inner, humanLimit: shownLimit });
}

interface ToolParts {
  backend: BackendProtocol;
  /** The same without rules. */
  inner: BackendProtocol;
  wanted: ReadonlySet<FileToolName>;
  modalities: ModelModalities;
  /** Tokens of a result. */
  limit: number | null;
}

/** The wanted tools that the backend supports. */
function toolsOf(options: FilesystemOptions, { backend, inner, wanted, modalities, limit }: ToolParts) {
  const custom = options.customToolDescriptions ?? {};
  const canDelete = backend.delete !== undefined;
  const canExecute = isSandboxBackend(backend);
  const versions = options.versions ?? createFileVersions({ backend });
  const writeOptions = options.writeOptions ?? ((callId: string) => ({ author: { callId } }));

  const visible = new Set<string>(
    [...wanted].filter(
      (name) => (name !== deleteFile.name || canDelete) && (name !== execute.name || canExecute),
    ),
  );
  const described = (text: string) => descriptionFor(text, visible);
  const tools = [
    lsTool(backend, custom[ls.name] ?? lsDescription),
    readFileTool(
      backend,
      custom[readFile.name] ?? readDescription,
      versions,
      modalities,
      limit,
      options.drawFrame,
    ),
    writeFileTool(backend, custom[writeFile.name] ?? writeDescription, writeOptions, versions),
    editFileTool(backend, custom[editFile.name] ?? editDescription, writeOptions, versions),
    ...(canDelete
      ? [deleteTool(backend, custom[deleteFile.name] ?? deleteDescription, writeOptions, versions)]
      : []),
    globTool(backend, custom[glob.name] ?? globDescription),
    grepTool(backend, custom[grep.name] ?? described(grepDescription), options.grepMaxCount),
    ...(canExecute
      ? [
          executeTool(
            backend,
            custom[execute.name] ?? withRoutes(described(executeDescription), inner),
            options.maxExecuteTimeout ?? undefined,
          ),
        ]
      : []),
  ].filter((tool) => wanted.has(tool.name as FileToolName));
  const jobs = canExecute && wanted.has(execute.name) ? backend.jobs : undefined;
  if (jobs !== undefined) {
    tools.push(
      listJobsTool(jobs, listJobsDescription),
      jobOutputTool(jobs, jobOutputDescription),
      stopJobTool(jobs, stopJobDescription),
    );
  }
  return tools;
}

/** Both null and 0 mean no limit. */
const limitOr = (given: number | null | undefined, byDefault: number): number | null =>
  given === undefined ? byDefault : given || null;

/** Tokens of a model's window, if its profile has it. */
function windowOf(model: unknown): number | undefined {
  const { maxInputTokens } = (model as { profile?: { maxInputTokens?: unknown } } | undefined)?.profile ?? {};
  return typeof maxInputTokens === 'number' ? maxInputTokens : undefined;
}

/** Everything that judges the call after this sees the same arguments as the tool. */
function withCanonicalArguments<R extends { toolCall: { name: string; args: Record<string, unknown> } }>(
  request: R,
): R {
  const { name, args } = request.toolCall;
  const canonical = canonicalArguments(name, args);
  return canonical === args ? request : { ...request, toolCall: { ...request.toolCall, args: canonical } };
}
