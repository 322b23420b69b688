import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage } from '@langchain/core/messages';
import type { BaseCheckpointSaver, BaseStore } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent } from 'langchain';
import type { Gate } from '../approvals/gate';
import { type AnyBackend, type BackendFactory, resolveBackend } from '../backends/adapt';
import { createFileVersions, isTakenUp } from '../backends/file-versions';
import type { FilesystemPermission } from '../backends/permissions';
import type { CallJournal } from './journal';
import { createApprovalMiddleware } from './middleware/approvals';
import { createFilesystemMiddleware } from './middleware/filesystem';
import { createModelObserverMiddleware, DeltaHandler } from './middleware/observe-model';
import { createPatchToolCallsMiddleware } from './middleware/patch-tool-calls';
import { createSubAgentMiddleware, type SubAgent } from './middleware/subagents';
import { createTodoListMiddleware } from './middleware/todo-list';
import type { AgentObserver, AgentRef } from './observer';
import { permissionGate } from './permission-gate';
import { RECURSION_LIMIT } from './recursion-limit';

export interface DeepAgentOptions {
  model: BaseChatModel;
  systemPrompt: string;
  backend: AnyBackend | BackendFactory;
  gate: Gate;
  journal: CallJournal;
  observer: AgentObserver;
  isIncomplete: (message: AIMessage) => boolean;
  /** True where the model declined to answer; the turn then fails with a `RefusedError`. */
  isRefusal?: (message: AIMessage) => boolean;
  /** A call of that id was made in the thread before, by whichever agent; ids that come again are changed. */
  isKnownCall?: (callId: string) => boolean;
  /** The thread, named as the author of what its calls write. */
  threadId: string;
  subagents?: readonly SubAgent[];
  /** Rules about paths, before the gate and on the backend. Sub-agents have them too, unless they bring their own. */
  permissions?: readonly FilesystemPermission[];
  /**
   * A file must have been read, or written, by the agent before it may edit it. Default false, as in the published
   * package. That a file changed since it was read is looked at in any case.
   */
  requireRead?: boolean;
  checkpointer?: BaseCheckpointSaver;
  store?: BaseStore;
}

/**
 * The harness: LangChain's agent loop with our middleware. Made anew for each turn, so that nothing is kept between
 * threads. Outermost first: offloading sees what approvals let through, approvals decide what the tools are given.
 */
export function createDeepAgent(options: DeepAgentOptions) {
  const { model, backend, gate, journal, observer, isIncomplete, isRefusal, isKnownCall, threadId } = options;
  const approvedVersions = new Map<string, string>();

  const permissionsOf = (agent: AgentRef): readonly FilesystemPermission[] =>
    options.subagents?.find((one) => one.name === agent?.name)?.permissions ?? options.permissions ?? [];
  const resolved = resolveBackend(backend);
  const base = (agent: AgentRef): AgentMiddleware[] => {
    const permissions = permissionsOf(agent);
    const versions = createFileVersions({ backend: resolved, requireRead: options.requireRead ?? false });
    return [
      createModelObserverMiddleware({
        agent,
        observer,
        isIncomplete,
        ...(isRefusal === undefined ? {} : { isRefusal }),
        ...(isKnownCall === undefined ? {} : { isKnownCall }),
      }),
      createTodoListMiddleware({ agent, observer }),
      createFilesystemMiddleware({
        backend,
        permissions,
        asksFirst: true,
        versions,
        writeOptions: (callId) => {
          const expectedVersion = approvedVersions.get(callId);
          const author = { threadId, callId };
          return expectedVersion === undefined ? { author } : { author, expectedVersion };
        },
      }),
      createPatchToolCallsMiddleware({ resultOf: (callId) => journal.resultOf(callId) }),
      createApprovalMiddleware({
        agent,
        gate: permissionGate(gate, permissions, resolved),
        journal,
        observer,
        approvedVersions,
        refusal: async ({ tool, args }, signal) => {
          // What the person was shown counts from then on: where it changed since, they are asked anew.
          if ((tool !== 'write_file' && tool !== 'edit_file') || isTakenUp()) return null;
          return (await versions.refusal(tool, args.file_path, signal))?.error ?? null;
        },
      }),
    ];
  };
  const [observing, ...rest] = base(null);

  const agent = createAgent({
    model,
    systemPrompt: options.systemPrompt,
    middleware: [
      ...(observing === undefined ? [] : [observing]),
      createSubAgentMiddleware({
        model,
        basePrompt: options.systemPrompt,
        middlewareFor: base,
        ...(options.subagents === undefined ? {} : { subagents: options.subagents }),
      }),
      ...rest,
    ],
    ...(options.checkpointer === undefined ? {} : { checkpointer: options.checkpointer }),
    ...(options.store === undefined ? {} : { store: options.store }),
  });
  return agent.withConfig({
    recursionLimit: RECURSION_LIMIT,
    callbacks: [new DeltaHandler(observer)],
  });
}

export type DeepAgent = ReturnType<typeof createDeepAgent>;
