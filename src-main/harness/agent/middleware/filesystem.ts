import { Command, ReducedValue, StateSchema } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { z } from 'zod';
import { optional } from '../../../contract/shared/optional';
import { type AnyBackend, type BackendFactory, resolveBackend } from '../../backends/adapt';
import {
  createFileVersions,
  FILE_VERSIONS,
  type FileVersions,
  versionsReducer,
} from '../../backends/file-versions';
import {
  canHoldRules,
  type FilesystemPermission,
  PermissionBackend,
  PermissionRules,
} from '../../backends/permissions';
import { type FileData, fileDataReducer, isSandboxBackend } from '../../backends/protocol';
import { StateBackend } from '../../backends/state';
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
import { refuseUnknownOptions } from '../known-options';
import { HUMAN_TOKEN_LIMIT, resultLimitFor } from '../limits';
import { allowManyListeners } from '../many-listeners';
import { ModelModalities, threadIdIn } from '../media/modalities';
import { askWithMedia } from '../media/scrub';
import type { DrawFrame } from '../media/video';
import { offloadCall } from '../offload';
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
export type FileToolName = (typeof FILE_TOOLS)[number];

export interface FilesystemOptions {
  /** Of either published form; a factory still works and is warned of once. Default: files in the thread's state. */
  backend?: AnyBackend | BackendFactory;
  /** Added to the system prompt as a part of its own; null adds nothing. */
  systemPrompt?: string | null;
  customToolDescriptions?: Partial<Record<FileToolName, string>> | null;
  /** Offered tools; must contain read_file. Default: all that the backend can. */
  tools?: readonly FileToolName[] | 'all' | null;
  /** Tokens; null never offloads, and never cuts what read_file answers. Default: 20,000, or a fifth of a small window. */
  toolTokenLimitBeforeEvict?: number | null;
  /** Tokens of a message of the person's before its text is kept in a file; null: never. */
  humanMessageTokenLimitBeforeEvict?: number | null;
  /** Told of each result that is kept in a file. */
  onOffloaded?: (callId: string, path: string) => void;
  writeOptions?: WriteOptionsOf;
  /**
   * Rules about paths, for every tool; the first that matches decides. They cannot hold where commands run, so together
   * with such a backend they throw unless `execute` is left out of `tools` or all are under routes of a composite.
   */
  permissions?: readonly FilesystemPermission[];
  /** True where the person is asked before a call that an `interrupt` rule is about; else such calls are refused. */
  asksFirst?: boolean;
  /** Which files the agent has seen; what it has not seen as it is now, it does not change. Default: its own. */
  versions?: FileVersions;
  /** Matches that grep shows where the model names no number; it may ask for more, up to 1,000 or this. Null: no limit. */
  grepMaxCount?: number | null;
  /** Seconds; the longest a single command may be given. Default 3,600. */
  maxExecuteTimeout?: number;
  /** The agent's model, whose modalities count until a request was made; then those of the model that was asked. */
  model?: unknown;
  /** Draws a frame of a video for a model that takes pictures and no videos, where ffmpeg is not there to do it. */
  drawFrame?: DrawFrame;
}

const KNOWN: Record<keyof FilesystemOptions, true> = {
  backend: true,
  systemPrompt: true,
  customToolDescriptions: true,
  tools: true,
  toolTokenLimitBeforeEvict: true,
  humanMessageTokenLimitBeforeEvict: true,
  onOffloaded: true,
  writeOptions: true,
  permissions: true,
  asksFirst: true,
  versions: true,
  grepMaxCount: true,
  maxExecuteTimeout: true,
  model: true,
  drawFrame: true,
};

const Files = z.record(z.string(), z.custom<FileData>());
// Optional: a turn that brings no files changes none.
const FilesUpdate = z.record(z.string(), z.custom<FileData | null>()).optional();

const Versions = z.record(z.string(), z.string());
const VersionsUpdate = z.record(z.string(), z.string().nullable()).optional();

/** The scratch files in the state of a graph of one's own, for StateBackend. */
export const filesValue = new ReducedValue(Files.default({}), {
  inputSchema: FilesUpdate,
  reducer: fileDataReducer,
});

const filesState = new StateSchema({
  [FILE_VERSIONS]: new ReducedValue(Versions.default({}), {
    inputSchema: VersionsUpdate,
    reducer: versionsReducer,
  }),
  files: filesValue,
});

/**
 * The file tools over a backend, and offloading of large results into `/large_tool_results/`. `execute` is offered only
 * where the backend can run commands, the tools for jobs only where those can go on in the background, `delete` only where it can delete.
 */
export function createFilesystemMiddleware(options: FilesystemOptions = {}) {
  refuseUnknownOptions('createFilesystemMiddleware', options, KNOWN);
  const { backend: given = new StateBackend() } = options;
  const inner = resolveBackend(given);
  const custom = options.customToolDescriptions ?? {};
  const {
    toolTokenLimitBeforeEvict: limit = resultLimitFor(windowOf(options.model)),
    humanMessageTokenLimitBeforeEvict: humanLimit = HUMAN_TOKEN_LIMIT,
    onOffloaded,
  } = options;
  const wanted = new Set<FileToolName>(options.tools === 'all' ? FILE_TOOLS : (options.tools ?? FILE_TOOLS));
  if (!wanted.has(readFile.name)) {
    throw new Error(`${readFile.name} must be included in tools; it is required by FilesystemMiddleware`);
  }
  const rules = options.permissions ?? [];
  // What a factory makes is known at a call: there the backend refuses the command.
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
  const canDelete = backend.delete !== undefined;
  const canExecute = isSandboxBackend(backend);
  const versions = options.versions ?? createFileVersions({ backend });
  const modalities = new ModelModalities(options.model);
  const refusedMedia = new Set<string>();
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
            custom[execute.name] ?? described(executeDescription),
            options.maxExecuteTimeout,
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
      const result = await handler(request);
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

/** Tokens of a model's window, where it says. */
function windowOf(model: unknown): number | undefined {
  const { maxInputTokens } = (model as { profile?: { maxInputTokens?: unknown } } | undefined)?.profile ?? {};
  return typeof maxInputTokens === 'number' ? maxInputTokens : undefined;
}

/** Whoever judges the call after this sees the arguments that the tool will. */
function withCanonicalArguments<R extends { toolCall: { name: string; args: Record<string, unknown> } }>(
  request: R,
): R {
  const { name, args } = request.toolCall;
  const canonical = canonicalArguments(name, args);
  return canonical === args ? request : { ...request, toolCall: { ...request.toolCall, args: canonical } };
}
