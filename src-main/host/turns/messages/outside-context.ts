import {
  type BaseMessage,
  HumanMessage,
  type MessageContent,
  type ToolMessage,
} from '@langchain/core/messages';
import type { GateCall } from '../../../approvals/call';
import { serverOf } from '../../../approvals/outside-sources';
import { isBelow } from '../../../base/is-below';
import { pageAddress } from '../../../base/network/page-address';
import type { Attachment } from '../../../contract/attachments';
import type { UserMessage } from '../../../contract/conversation';
import { optional } from '../../../contract/shared/optional';
import type { OutsideSource } from '../../../contract/shared/outside-source';
import { shownName } from '../../../contract/shared/shown-name';
import type { AgentRef, Compaction } from '../../../harness';
import { keptFrom, newestOf } from '../../../harness/agent/context/compaction';
import { lastHuman } from '../../../harness/agent/context/cut-point';
import {
  delegates,
  descriptorOf,
  displayOf,
  fetchesPage,
  isAboutRemoteTask,
  runsCommand,
} from '../../../harness/tools/catalogue';
import { outsideMark, sourcesOf } from '../../threads/outside-mark';
import type { OutsideFiles } from './outside-files';

/** The part of an agent's state that tells what the model sees. */
interface ContextState {
  messages: readonly BaseMessage[];
  _compactions?: readonly Compaction[];
}

/** A server by its name, which is not unique, and its identity. */
interface ServerOfTool {
  name: string;
  id: string;
}

/** Origins of attachments with text that neither the person nor the project has written. */
const FOREIGN: ReadonlySet<Attachment['origin']> = new Set(['file', 'resource']);

/** A message of the person, marked with the files that they attached from elsewhere. */
export function personMessage(
  { id, attachments = [] }: Pick<UserMessage, 'id' | 'attachments'>,
  content: MessageContent,
): HumanMessage {
  const foreign = attachments.filter(({ origin }) => FOREIGN.has(origin));
  const sources = foreign.map(({ name }): OutsideSource => ({ kind: 'attachment', name: shownName(name) }));
  return new HumanMessage({
    id,
    content,
    ...(sources.length === 0 ? {} : { additional_kwargs: outsideMark(sources) }),
  });
}

/**
 * Which text from outside the agents of one run have in their contexts: web pages, results of external tools, what commands
 * downloaded, attached files, and imported threads. A message carries its sources. They leave a context with the message, that is, when a
 * compaction replaces it, and come back with what an agent wrote to files meanwhile.
 */
export class OutsideContext {
  /** What a sub-agent got with its task, and what it saw itself, by the call that started it. */
  private readonly handed = new Map<string, readonly OutsideSource[]>();
  /** What the thread had seen by then, even if a compaction has replaced it: the sub-agent can read what was saved of it. */
  private readonly seenBefore = new Map<string, readonly OutsideSource[]>();
  private readonly seen = new Map<string, readonly OutsideSource[]>();

  /** The compactions at an agent's last model call, by its call. The state of a tool call does not have them. */
  private readonly compactions = new Map<string | null, readonly Compaction[]>();

  constructor(
    private readonly options: {
      /** The project folder, as tools name it. What the agent saves is elsewhere. */
      folder?: string;
      isUndone?: (compactionId: string) => boolean;
      /** Ids of messages that stay in the context of the thread's agent after a compaction. */
      pinned?: () => ReadonlySet<string>;
      /** An agent's compactions before this run, which continues at a call: no model call has named them. */
      recordedOf?: (agent: AgentRef) => readonly Compaction[];
      /** The name of the agent that works on a task on a server; null if nobody knows. */
      remoteAgentOf?: (taskId: unknown) => string | null;
      /** The server of an external tool. Default: the one in the tool's name, without an identity. */
      serverOf?: (tool: string) => ServerOfTool | undefined;
      /** Absent: nobody remembers what is in the files of the folder. */
      files?: OutsideFiles;
      /** Files that every agent has in its prompt, as tools name them. */
      instructions?: readonly string[];
    } = {},
  ) {}

  /** What a call adds for the gate: its server's identity, and the sources in the agent's context now. */
  factsOf(agent: AgentRef, tool: string, state: ContextState): Pick<GateCall, 'server' | 'outside'> {
    const server = this.options.serverOf?.(tool)?.id;
    return { ...optional({ server }), outside: this.of(agent, state) };
  }

  /** The sources in an agent's context now. */
  of(agent: AgentRef, { messages, _compactions: compactions }: ContextState): readonly OutsideSource[] {
    const { isUndone, pinned } = agent === null ? this.options : {};
    const key = agent?.callId ?? null;
    if (compactions !== undefined) this.compactions.set(key, compactions);
    const made = this.compactions.get(key) ?? this.options.recordedOf?.(agent);
    const from = keptFrom(
      messages,
      newestOf(
        made?.filter((one) => !isUndone?.(one.id)),
        messages,
      ),
    );
    const request = from === 0 ? -1 : lastHuman(messages);
    const ids = pinned?.();
    const own = sourcesIn(
      messages,
      ({ id }, index) => index >= from || index === request || (id !== undefined && ids?.has(id) === true),
    );
    const prompt = this.inPrompt();
    if (agent === null) return prompt.length === 0 ? own : unique([...prompt, ...own]);
    const all = unique([...(this.handed.get(agent.callId) ?? []), ...prompt, ...own]);
    this.seen.set(agent.callId, unique([...(this.seen.get(agent.callId) ?? []), ...all]));
    return all;
  }

  /** The sources of the instruction files, which no compaction replaces. */
  private inPrompt(): readonly OutsideSource[] {
    const { files, instructions = [] } = this.options;
    return instructions.flatMap((path) => files?.ofInstructions(path) ?? []);
  }

  /** Called before a call starts, with what its agent has in its context. */
  starts(agent: AgentRef, call: GateCall, { messages }: ContextState): void {
    const sources = call.outside ?? [];
    this.options.files?.wrote(call, sources);
    if (!delegates(call.tool)) return;
    this.handed.set(call.callId, sources);
    this.seenBefore.set(call.callId, this.everSeen(agent, messages));
  }

  /** Marks a call's result with its sources. `offline`: it was a command without network. */
  async mark(
    agent: AgentRef,
    call: GateCall,
    message: ToolMessage,
    { messages }: ContextState,
    { offline = false }: { offline?: boolean | undefined } = {},
  ): Promise<void> {
    const { files } = this.options;
    const sources = unique([
      // A result that is repeated has them already.
      ...sourcesOf(message),
      ...(offline ? [] : await this.sourcesOf(agent, call, messages)),
      ...(files?.readBy(call, message.text) ?? []),
    ]);
    if (sources.length === 0) return;
    Object.assign(message.additional_kwargs, outsideMark(sources));
    files?.wrote(call, unique([...(call.outside ?? []), ...sources]));
  }

  /** The sources of everything that the agent and those who gave it its task have seen, also before compactions. */
  private everSeen(agent: AgentRef, messages: readonly BaseMessage[]): readonly OutsideSource[] {
    const before = agent === null ? [] : (this.seenBefore.get(agent.callId) ?? []);
    return unique([...before, ...sourcesIn(messages)]);
  }

  private async sourcesOf(
    agent: AgentRef,
    call: GateCall,
    messages: readonly BaseMessage[],
  ): Promise<readonly OutsideSource[]> {
    if (delegates(call.tool)) return this.seen.get(call.callId) ?? [];
    if (fetchesPage(call.tool)) {
      const page = pageAddress(call.args.url);
      return page instanceof URL ? [{ kind: 'page', name: page.host }] : [];
    }
    const server = serverOf(call);
    if (server !== null) {
      const { name = server, id } = this.options.serverOf?.(call.tool) ?? {};
      return [{ kind: 'server', name: shownName(name), ...optional({ id }) }];
    }
    if (isAboutRemoteTask(call.tool)) return this.reportedBy(call);
    if (runsCommand(call.tool)) return downloadsOf(call);
    if (displayOf(call.tool) === 'job-output')
      return sourcesIn(messages).filter(({ kind }) => kind === 'download');
    // A saved result or an archive of the conversation brings back what had left.
    return this.readsSaved(call) ? this.everSeen(agent, messages) : [];
  }

  private reportedBy({ tool, args }: GateCall): readonly OutsideSource[] {
    if (descriptorOf(tool)?.resultIsOwn === true) return [];
    return [{ kind: 'server', name: this.options.remoteAgentOf?.(args.taskId) ?? tool }];
  }

  private readsSaved({ tool, args }: GateCall): boolean {
    const { path, display } = descriptorOf(tool) ?? {};
    if (path === undefined || (display !== 'read' && display !== 'search')) return false;
    const named = args[path.argument] ?? '/';
    const { folder } = this.options;
    return folder === undefined || typeof named !== 'string' || !isBelow(named, folder);
  }
}

/** The parser of command lines is large, and the first turn need not wait for it. Await this before a command starts. */
export const loadDownloads = () => import('../../../approvals/bash/reading/downloads');

async function downloadsOf({ args: { command } }: GateCall): Promise<OutsideSource[]> {
  if (typeof command !== 'string') return [];
  const { downloadsIn } = await loadDownloads();
  return downloadsIn(command).map((name) => ({ kind: 'download', name }));
}

/** Runs for each request and each call over the whole thread. */
function sourcesIn(
  messages: readonly BaseMessage[],
  isSeen: (message: BaseMessage, index: number) => boolean = () => true,
): OutsideSource[] {
  const found: OutsideSource[] = [];
  for (const [index, message] of messages.entries()) {
    const sources = sourcesOf(message);
    if (sources.length > 0 && isSeen(message, index)) found.push(...sources);
  }
  return unique(found);
}

const unique = (sources: readonly OutsideSource[]): OutsideSource[] => [
  ...new Map(sources.map((one) => [`${one.kind} ${one.name} ${one.id ?? ''}`, one])).values(),
];
