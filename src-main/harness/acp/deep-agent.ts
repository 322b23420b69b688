import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { PermissionOption, PlanEntry, SessionUpdate, StopReason } from '@agentclientprotocol/sdk';
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { Command } from '@langchain/langgraph';
import { z } from 'zod';
import {
  type Checks,
  checkOptions,
  flag,
  func,
  listOf,
  objectWith,
  oneOf,
  text,
} from '../../base/check-options';
import { Todo } from '../../contract/shared/todo';
import type { DeepAgent } from '../agent/types';
import { displayOf } from '../tools/catalogue';
import {
  type AcpAccepts,
  type AcpHost,
  AcpRefusal,
  type AcpSession,
  type Editor,
  type PromptPart,
  type SessionPlace,
} from './host';
import { messageContent } from './message-content';
import { type OpenInterrupt, openInterrupts, type Question } from './open-interrupt';
import { askedContent, changeOf, describeCall, shownPath, textContent } from './tool-call';

/** The agent that `deepAgentHost` serves. */
export interface DeepAgentHostOptions {
  /** What editors show about the agent. */
  info: AcpHost['info'];
  /**
   * Creates the agent of a session in a folder. Give it a checkpointer: the session id is the thread id. Questions from
   * `interruptOn` become permission requests. Any other `interrupt()` is shown as a message, and the person's next message is
   * its resume value, as text.
   */
  createAgent(place: SessionPlace): Pick<DeepAgent, 'graph'> | Promise<Pick<DeepAgent, 'graph'>>;
  /**
   * The path on this machine for a path of the agent's tools, if they differ. Editors open the files of calls by it, and files
   * that a message names get the agent's path. Default: editors get the paths of the tools, and the agent gets URIs.
   */
  hostPath?(path: string, place: SessionPlace): string;
  /** What `createAgent` uses of its place besides the folder. The person is told about MCP servers that it does not use. */
  accepts?: AcpAccepts;
}

const CHECKS: Checks<DeepAgentHostOptions> = {
  info: objectWith({ name: text, title: text, version: text }, ['name', 'title', 'version']),
  createAgent: func,
  hostPath: func,
  accepts: objectWith({
    mcpServers: listOf(oneOf('stdio', 'http', 'sse'), 'transports'),
    additionalDirectories: flag,
  }),
};

/** Serves agents that `createDeepAgent` makes through `createAcpAgent`. Lists the sessions of this process only. */
export function deepAgentHost(options: DeepAgentHostOptions): AcpHost {
  checkOptions('deepAgentHost', options, CHECKS, ['info', 'createAgent']);
  const { info, createAgent, hostPath, accepts = {} } = options;
  const known = new Map<string, Known>();
  const open = async (id: string, place: SessionPlace) => {
    const unused = accepts.mcpServers === undefined ? place.mcpServers.map(({ name }) => name) : [];
    try {
      const paths = hostPath && ((path: string) => hostPath(path, place));
      const session = new DeepAgentSession(id, await createAgent(place), paths, unused, async () => {
        known.set(id, { cwd: place.cwd, title: session.title });
      });
      await session.read();
      return session;
    } catch (error) {
      throw AcpRefusal.from(error);
    }
  };
  return {
    info,
    accepts,
    create: async (place) => {
      const session = await open(randomUUID(), place);
      known.set(session.id, { session, cwd: place.cwd });
      return session;
    },
    load: async (id, place) => {
      const session = known.get(id)?.session ?? (await open(id, place));
      if (session.isNew && !known.has(id)) return null;
      known.set(id, { session, cwd: place.cwd });
      return session;
    },
    list: async (cwd, cursor) => {
      if (cursor !== undefined)
        throw new AcpRefusal('invalid', 'The list has one page, so there is no such cursor.');
      const sessions = [...known]
        .reverse()
        .filter(([, one]) => cwd === undefined || one.cwd === cwd)
        .map(([sessionId, one]) => ({
          sessionId,
          cwd: one.cwd,
          title: one.session ? one.session.title : one.title,
        }));
      return { sessions };
    },
  };
}

/** A session of this process. A closed one has only its title. */
type Known = { cwd: string } & (
  | { session: DeepAgentSession; title?: never }
  | { session?: never; title: string }
);

const State = z.object({
  messages: z.array(z.custom<BaseMessage>()).default([]),
  todos: z.array(Todo).default([]),
});

/** The path on this machine for a path of the agent. */
type HostPath = (path: string) => string;

/** Names a file of this machine by the agent's path, if it has one. */
function withAgentPath(part: PromptPart, hostPath: HostPath | undefined): PromptPart {
  if (part.type !== 'link' || hostPath === undefined || !part.uri.startsWith('file:')) return part;
  try {
    const path = fileURLToPath(part.uri);
    const inside = path.slice(hostPath('/').replace(/\/$/, '').length);
    return inside.startsWith('/') && hostPath(inside) === path ? { ...part, uri: inside } : part;
  } catch {
    return part;
  }
}

/** A deep agent's thread as a session. */
class DeepAgentSession implements AcpSession {
  private messages: BaseMessage[] = [];
  private todos: Todo[] = [];
  /** What the graph waits for besides decisions on calls. */
  private asked: OpenInterrupt[] = [];
  /** Ids of the messages and interrupts that were already sent to the editor. */
  private readonly told = new Set<string>();

  constructor(
    readonly id: string,
    private readonly agent: Pick<DeepAgent, 'graph'>,
    private readonly hostPath: HostPath | undefined,
    /** Names of the editor's MCP servers that the agent does not use. The person is told once. */
    private unusedServers: readonly string[],
    readonly close: () => Promise<void>,
  ) {}

  get isNew(): boolean {
    return this.messages.length === 0;
  }

  get title(): string {
    return this.messages.find((message) => HumanMessage.isInstance(message))?.text.slice(0, 80) ?? '';
  }

  modes(): null {
    return null;
  }

  async setMode(): Promise<void> {
    throw new AcpRefusal('invalid', 'This agent has no modes.');
  }

  options(): [] {
    return [];
  }

  async setOption(): Promise<void> {
    throw new AcpRefusal('invalid', 'This agent has no options.');
  }

  async commands(): Promise<[]> {
    return [];
  }

  history(): SessionUpdate[] {
    const spoken = this.messages.flatMap((message) =>
      HumanMessage.isInstance(message)
        ? [
            {
              sessionUpdate: 'user_message_chunk' as const,
              content: { type: 'text' as const, text: message.text },
            },
          ]
        : [...wordsOf(message), ...callsOf(message, this.hostPath)],
    );
    const [first] = this.asked;
    if (first !== undefined) this.told.add(first.key);
    return [
      ...spoken,
      ...(this.todos.length === 0 ? [] : [planOf(this.todos)]),
      ...(first === undefined ? [] : [said(first.text)]),
    ];
  }

  async prompt(parts: readonly PromptPart[], editor: Editor, signal: AbortSignal): Promise<StopReason> {
    try {
      if (this.unusedServers.length > 0)
        editor.update(thought(`This agent does not use these MCP servers: ${this.unusedServers.join(', ')}`));
      this.unusedServers = [];
      const content = messageContent(parts.map((part) => withAgentPath(part, this.hostPath)));
      const [asked] = this.asked;
      // Asks the question that an earlier editor left open before anything else.
      await this.decideOpen(editor, signal);
      const [next] = this.asked;
      if (next !== undefined && next.key !== asked?.key)
        throw new AcpRefusal(
          'failed',
          'The agent asks something first. Answer it, then send your message again.',
        );
      const message = new HumanMessage({ id: randomUUID(), content });
      if (next === undefined) this.messages.push(message);
      const input =
        next === undefined ? { messages: [message] } : new Command({ resume: { [next.id]: content } });
      // The graph may ask the same again.
      if (next !== undefined) this.told.delete(next.key);
      await this.run(input, editor, signal);
      await this.decideOpen(editor, signal);
      return 'end_turn';
    } catch (error) {
      if (signal.aborted || error instanceof Cancelled) return 'cancelled';
      throw AcpRefusal.from(error);
    } finally {
      await this.read();
    }
  }

  /** Refreshes the thread's saved state. */
  async read(): Promise<void> {
    const { values, tasks } = await this.agent.graph.getState(this.config);
    ({ messages: this.messages, todos: this.todos } = State.parse(values));
    for (const { id } of this.messages) if (id !== undefined) this.told.add(id);
    this.asked = openInterrupts(tasks).asked;
  }

  private get config() {
    return { configurable: { thread_id: this.id } };
  }

  private async run(input: object, editor: Editor, signal: AbortSignal): Promise<void> {
    const { graph } = this.agent;
    const stream = await graph.stream(input as never, {
      ...this.config,
      streamMode: ['messages', 'updates'],
      signal,
    });
    const streamed = new Set<string>();
    for await (const [mode, chunk] of stream as AsyncIterable<[string, unknown]>) {
      if (mode === 'messages') {
        const [message, { langgraph_checkpoint_ns: place = '' }] = chunk as [
          BaseMessage,
          Record<string, string>,
        ];
        // Skips a sub-agent's text, which is for the parent agent, and summaries, which are for the model.
        if (place.includes('|') || !place.startsWith('model_request:') || !AIMessageChunk.isInstance(message))
          continue;
        if (message.id !== undefined) streamed.add(message.id);
        for (const update of wordsOf(message)) editor.update(update);
        continue;
      }
      // A step with several calls writes several times.
      for (const written of Object.values(chunk as Record<string, unknown>).flat()) {
        const { messages, todos } = State.catch({ messages: [], todos: [] }).parse(written ?? {});
        for (const message of messages) this.tell(message, editor, streamed);
        if (todos.length > 0) editor.update(planOf(todos));
      }
    }
  }

  /** Sends each message once. Steps that do not change a message still write it again. */
  private tell(message: BaseMessage, editor: Editor, streamed: ReadonlySet<string>): void {
    const { id } = message;
    if (id !== undefined && this.told.has(id)) return;
    if (id !== undefined) this.told.add(id);
    // An editor may load the session while it works.
    this.messages.push(message);
    const words = id !== undefined && streamed.has(id) ? [] : wordsOf(message);
    for (const update of [...words, ...callsOf(message, this.hostPath)]) editor.update(update);
  }

  /** Asks about open calls until none is left, and tells the person about the first other value that the graph waits for. */
  private async decideOpen(editor: Editor, signal: AbortSignal): Promise<void> {
    for (;;) {
      const { tasks } = await this.agent.graph.getState(this.config);
      const { calls, asked } = openInterrupts(tasks);
      this.asked = asked;
      const [first] = asked;
      if (first !== undefined && !this.told.has(first.key)) editor.update(said(first.text));
      if (first !== undefined) this.told.add(first.key);
      if (calls.length === 0) return;
      const resume: Record<string, unknown> = {};
      for (const { id, question } of calls)
        resume[id] = { decisions: await this.decisionsOn(id, question, editor, signal) };
      await this.run(new Command({ resume }), editor, signal);
    }
  }

  private async decisionsOn(
    questionId: string,
    { actionRequests, reviewConfigs }: Question,
    editor: Editor,
    signal: AbortSignal,
  ) {
    await this.read();
    const calls = [...(this.messages.findLast((message) => AIMessage.isInstance(message))?.tool_calls ?? [])];
    const decisions: { type: 'approve' | 'reject' }[] = [];
    for (const [at, { name, args, description }] of actionRequests.entries()) {
      const index = calls.findIndex((call) => call.name === name && isSame(call.args, args));
      // Another call may be the same, so each is taken once.
      const [call] = index === -1 ? [] : calls.splice(index, 1);
      const callId = call?.id ?? `${questionId}-${at}`;
      const facts = {
        callId,
        name,
        display: displayOf(name),
        args,
        hostPath: shownPath(this.hostPath),
      };
      const content = [
        ...askedContent(facts),
        ...(description === undefined ? [] : [textContent(description)]),
      ];
      const toolCall = { ...describeCall(facts), status: 'pending' as const, content };
      const allowed = reviewConfigs[at]?.allowedDecisions ?? [];
      const options = OPTIONS.filter(({ optionId }) => allowed.includes(optionId));
      if (options.length === 0)
        throw new AcpRefusal(
          'failed',
          `Editors can allow or reject a call, but ${name} waits for one of these: ${allowed.join(', ')}.`,
        );
      const choice = await editor.ask({ toolCall, options }, signal);
      if (choice !== 'approve' && choice !== 'reject') throw new Cancelled();
      decisions.push({ type: choice });
    }
    return decisions;
  }
}

/** The person cancelled the turn instead of answering. The question stays open. */
class Cancelled extends Error {}

const OPTIONS: PermissionOption[] = [
  { optionId: 'approve', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const thought = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_thought_chunk',
  content: { type: 'text', text },
});

const said = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});

const wordsOf = (message: BaseMessage): SessionUpdate[] =>
  AIMessage.isInstance(message) && message.text !== '' ? [said(message.text)] : [];

/** The tool calls of an answer, or the result of one. */
function callsOf(message: BaseMessage, hostPath: HostPath | undefined): SessionUpdate[] {
  if (ToolMessage.isInstance(message)) {
    const status = message.status === 'error' ? 'failed' : 'completed';
    const content = [textContent(message.text)];
    return [{ sessionUpdate: 'tool_call_update', toolCallId: message.tool_call_id, status, content }];
  }
  if (!AIMessage.isInstance(message)) return [];
  return (message.tool_calls ?? []).map(({ id = '', name, args }) => {
    const facts = { callId: id, name, display: displayOf(name), args, hostPath: shownPath(hostPath) };
    return {
      sessionUpdate: 'tool_call',
      ...describeCall(facts),
      status: 'pending',
      content: changeOf(facts),
    };
  });
}

const planOf = (todos: readonly Todo[]): SessionUpdate => ({
  sessionUpdate: 'plan',
  entries: todos.map(({ content, status }): PlanEntry => ({ content, status, priority: 'medium' })),
});
