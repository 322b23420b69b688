import { type BaseMessage, type ToolMessage, ToolMessage as ToolResult } from '@langchain/core/messages';
import { z } from 'zod';
import type { GateCall, OutsideSource } from '../../approvals/call';
import { serverOf } from '../../approvals/outside-sources';
import { isBelow } from '../../base/is-below';
import { pageAddress } from '../../base/network/page-address';
import type { AgentRef } from '../../harness/agent/agent-ref';
import { type Compaction, keptFrom } from '../../harness/agent/context/compaction';
import { delegates, descriptorOf, fetchesPage } from '../../harness/tools/catalogue';

/** Key in `additional_kwargs` of a result: where its text came from. Saved with the conversation. */
const KEY = 'deepdesk_outside';

const Sources = z.array(z.object({ kind: z.enum(['page', 'server']), name: z.string() }));

/** An agent's state, as far as it says what the model sees. */
interface ContextState {
  messages: readonly BaseMessage[];
  _compactions?: readonly Compaction[];
}

/**
 * Which text from outside the agents of one run have in their contexts: web pages, and results of external tools. A result
 * carries its sources. They leave a context with the result, that is, when a compaction replaces it.
 */
export class OutsideContext {
  /** What a sub-agent got with its task, and what it saw itself, by the call that started it. */
  private readonly handed = new Map<string, readonly OutsideSource[]>();
  private readonly seen = new Map<string, readonly OutsideSource[]>();

  constructor(
    private readonly options: {
      /** The project folder, as tools name it. What the agent saves is elsewhere. */
      folder?: string;
      isUndone?: (compactionId: string) => boolean;
    } = {},
  ) {}

  /** The sources in an agent's context now. */
  of(agent: AgentRef, { messages, _compactions: compactions }: ContextState): readonly OutsideSource[] {
    const isUndone = agent === null ? this.options.isUndone : undefined;
    const current = compactions?.findLast((one) => !isUndone?.(one.id));
    const own = sourcesIn(messages.slice(keptFrom(messages, current)));
    if (agent === null) return own;
    const all = unique([...(this.handed.get(agent.callId) ?? []), ...own]);
    this.seen.set(agent.callId, unique([...(this.seen.get(agent.callId) ?? []), ...all]));
    return all;
  }

  /** Called before a sub-agent starts. */
  delegate(callId: string, sources: readonly OutsideSource[]): void {
    this.handed.set(callId, sources);
  }

  /** Marks a call's result with its sources. */
  mark(call: GateCall, message: ToolMessage, { messages }: ContextState): void {
    const sources = this.sourcesOf(call, messages);
    if (sources.length > 0) message.additional_kwargs[KEY] = sources;
  }

  private sourcesOf(call: GateCall, messages: readonly BaseMessage[]): readonly OutsideSource[] {
    if (delegates(call.tool)) return this.seen.get(call.callId) ?? [];
    if (fetchesPage(call.tool)) {
      const page = pageAddress(call.args.url);
      return page instanceof URL ? [{ kind: 'page', name: page.host }] : [];
    }
    const server = serverOf(call);
    if (server !== null) return [{ kind: 'server', name: server }];
    // A saved result or an archive of the conversation brings back what had left.
    return this.readsSaved(call) ? sourcesIn(messages) : [];
  }

  private readsSaved({ tool, args }: GateCall): boolean {
    const { path, display } = descriptorOf(tool) ?? {};
    if (path === undefined || (display !== 'read' && display !== 'search')) return false;
    const named = args[path.argument] ?? '/';
    const { folder } = this.options;
    return folder === undefined || typeof named !== 'string' || !isBelow(named, folder);
  }
}

const sourcesIn = (messages: readonly BaseMessage[]): OutsideSource[] =>
  unique(
    messages.flatMap((message) =>
      ToolResult.isInstance(message) ? (Sources.safeParse(message.additional_kwargs[KEY]).data ?? []) : [],
    ),
  );

const unique = (sources: readonly OutsideSource[]): OutsideSource[] => [
  ...new Map(sources.map((one) => [`${one.kind} ${one.name}`, one])).values(),
];
