import { setTimeout as delay } from 'node:timers/promises';
import {
  type ConnectOptions,
  type ElicitRequest,
  type ElicitResult,
  type Progress,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import { removeHiddenText } from '../base/hidden-text';
import { optional } from '../contract/shared/optional';
import { because, type Reason } from '../contract/shared/reasons';
import { type ResourceFile, resourceFile, resourcesOf, type ServerResource } from './attachable';
import { problem } from './problem';
import { promptsOf, promptText, type ServerPrompt } from './prompts';
import { type CallEvents, questionOf, resultOf } from './questions';
import { raced } from './raced';
import { callResourceTool, RESOURCE_TOOLS } from './resources';
import { PagesFirst } from './tools/pages-first';
import { contentOf, type ResultContent } from './tools/results';
import { readTools, type ToolList } from './tools/tool-list';
import { SessionForgotten } from './transport/session-forgotten';
import { TolerantClient } from './transport/tolerant-client';
import { endingOf, type Target, type TransportHooks, transportTo } from './transport/transport';

/** Milliseconds for ending the session with an HTTP server. */
const LEAVE_WITHIN = 1_000;
/** Milliseconds that no call takes. The signal enforces the real limit and also notifies the server. */
const NO_LIMIT = 2_000_000_000;
/** The status for a session that the server does not know. */
const NOT_FOUND = 404;
/** Questions of a server that wait for the person at the same time. More would bury what else waits. */
const MAX_QUESTIONS = 10;
/** UTF-16 units of the message with a call's progress. */
const MAX_MESSAGE = 200;
/** Milliseconds after which a program that does not answer the current protocol's opening gets the older one. */
const OPENING_WITHIN = 10_000;

export interface ConnectionHooks extends TransportHooks {
  version: string;
  /** The server's name in the configuration. */
  server: string;
  /** A program that ended at the current protocol's opening is started once more, with the older one. */
  onStartedAgain: () => void;
  /** The connection is lost; `why` explains the reason. Not called after `close`. */
  onLost: (why: Reason) => void;
  onToolsChanged: () => void;
}

export interface Connection {
  list(signal: AbortSignal): Promise<ToolList>;
  /** The server's answer. Rejects if it reports an error, is gone, or `signal` aborts. */
  call(
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    events: CallEvents,
  ): Promise<ResultContent>;
  /** The prompts for the person; empty if the server has none. Rejects like `call`. */
  prompts(signal: AbortSignal): Promise<ServerPrompt[]>;
  prompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<string>;
  /** The resources that the person can attach, like `prompts`. */
  resources(signal: AbortSignal): Promise<ServerResource[]>;
  resource(uri: string, signal: AbortSignal): Promise<ResourceFile>;
  /** Rejects if the server does not answer before `limit` aborts. */
  ping(limit: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts or connects to the server and opens the session: with the current protocol revision, or with the older handshake if
 * the server does not know it. If that fails or `signal` aborts, it rejects and leaves nothing running.
 */
export async function openConnection(
  target: Target,
  hooks: ConnectionHooks,
  signal: AbortSignal,
): Promise<Connection> {
  // The older SSE transport has only the older handshake.
  const first = new Session(target, hooks);
  const isOld = target.transport === 'sse';
  try {
    return await first.open(signal, isOld);
  } catch (error) {
    if (isOld || signal.aborted || !first.endedAtOpening) throw error;
  }
  hooks.onStartedAgain();
  return new Session(target, hooks).open(signal, true);
}

/** One connection to a server, from its start to its end. */
class Session implements Connection {
  private readonly client: TolerantClient;
  private readonly transport: Transport;
  private isUp = false;
  private isClosing = false;
  private hasEnded = false;
  /** By name, as of the last `list`. */
  private definitions = new Map<string, Tool>();
  /** The calls in progress, in the order in which they started. */
  private readonly calls = new Set<CallEvents>();
  /** Questions that wait for the person. */
  private questions = 0;
  private readonly pages = new PagesFirst();

  constructor(
    target: Target,
    private readonly hooks: ConnectionHooks,
  ) {
    this.client = new TolerantClient(
      { name: 'deepdesk', version: hooks.version },
      {
        versionNegotiation: {
          mode: 'auto',
          probe: { timeoutMs: target.transport === 'stdio' ? OPENING_WITHIN : NO_LIMIT },
        },
        capabilities: { elicitation: { form: {}, url: {} } },
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: hooks.onToolsChanged } },
      },
    );
    this.transport = transportTo(target, hooks);
    this.client.onclose = () => this.onClose();
    // Receives non-fatal errors. Fatal ones also close the connection or fail the request.
    this.client.onerror = () => undefined;
    this.client.setRequestHandler('elicitation/create', ({ params }, { mcpReq: { signal } }) =>
      this.ask(params, signal),
    );
    this.client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
      this.pages.finished(params.elicitationId),
    );
  }

  /** The program ended before the session was open. */
  get endedAtOpening(): boolean {
    return !this.isUp && this.hasEnded;
  }

  async open(signal: AbortSignal, isOld: boolean): Promise<this> {
    const options: ConnectOptions = {
      signal,
      timeout: NO_LIMIT,
      ...(isOld ? { prior: { kind: 'legacy' } } : {}),
    };
    try {
      await raced(this.client.connect(this.transport, options), signal);
      this.isUp = true;
      return this;
    } catch (error) {
      // Before `close`, which ends a program too.
      const ending = endingOf(this.transport);
      this.hasEnded = ending !== undefined;
      await this.close().catch(() => undefined);
      if (signal.aborted) throw signal.reason;
      throw ending === undefined ? error : problem(ending);
    }
  }

  async list(signal: AbortSignal): Promise<ToolList> {
    const offers = this.client.getServerCapabilities();
    const { definitions, ...list } =
      offers?.tools === undefined
        ? { tools: [], leftOut: [], definitions: new Map<string, Tool>() }
        : await this.answered(readTools(this.client, within(signal)), signal);
    this.definitions = definitions;
    // A tool of the server with the same name takes precedence.
    const more = RESOURCE_TOOLS.filter(({ title }) => !definitions.has(title));
    return offers?.resources === undefined ? list : { ...list, tools: [...list.tools, ...more] };
  }

  async call(
    name: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    events: CallEvents,
  ): Promise<ResultContent> {
    const definition = this.definitions.get(name);
    const options = within(signal);
    if (definition !== undefined) {
      const onprogress = ({ progress, total, message }: Progress) =>
        events.progressed({
          done: progress,
          ...optional({ total, message: message?.slice(0, MAX_MESSAGE) }),
        });
      const run = () =>
        this.answered(
          this.client.callTool(
            { name, arguments: args },
            { ...options, toolDefinition: definition, onprogress },
          ),
          signal,
        );
      const { server } = this.hooks;
      this.calls.add(events);
      try {
        return contentOf(
          await this.pages.answered({ server, tool: name, signal, run, ask: events.ask.bind(events) }),
        );
      } finally {
        this.calls.delete(events);
      }
    }
    if (!RESOURCE_TOOLS.some(({ title }) => title === name))
      throw problem(because('mcp_tool_gone', { name }));
    return this.answered(callResourceTool(this.client, name, args, options), signal);
  }

  prompts(signal: AbortSignal): Promise<ServerPrompt[]> {
    return this.answered(promptsOf(this.client, within(signal)), signal);
  }

  prompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<string> {
    return this.answered(promptText(this.client, name, args, within(signal)), signal);
  }

  resources(signal: AbortSignal): Promise<ServerResource[]> {
    return this.answered(resourcesOf(this.client, within(signal)), signal);
  }

  resource(uri: string, signal: AbortSignal): Promise<ResourceFile> {
    return this.answered(resourceFile(this.client, uri, within(signal)), signal);
  }

  async ping(limit: AbortSignal): Promise<void> {
    // The current revision has no `ping`.
    const isCurrent = this.client.getProtocolEra() === 'modern';
    const answer: Promise<unknown> = isCurrent
      ? this.client.discover(within(limit))
      : this.client.ping(within(limit));
    try {
      await raced(answer, limit);
    } catch (error) {
      // An error is an answer too.
      if (limit.aborted || !(error instanceof ProtocolError)) throw error;
    }
  }

  /** The answer to a request. If an HTTP server has forgotten the session, the connection is over. */
  private async answered<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await raced(answer, signal);
    } catch (error) {
      const { transport } = this;
      const isForgotten =
        transport instanceof StreamableHTTPClientTransport &&
        transport.sessionId !== undefined &&
        error instanceof SdkHttpError &&
        error.data.status === NOT_FOUND;
      if (signal.aborted || !isForgotten) throw error;
      if (!this.isClosing) this.hooks.onLost(because('mcp_closed'));
      void this.close().catch(() => undefined);
      throw new SessionForgotten();
    }
  }

  async close(): Promise<void> {
    this.isClosing = true;
    const { transport } = this;
    if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
      await Promise.race([transport.terminateSession().catch(() => undefined), delay(LEAVE_WITHIN)]);
    }
    await this.client.close();
    // The client abandons a transport that failed before it was connected.
    await transport.close();
  }

  /** The protocol does not say in which call the server asks: it is taken to be the last one. */
  private async ask(params: ElicitRequest['params'], signal: AbortSignal): Promise<ElicitResult> {
    removeHiddenText(params);
    const call = [...this.calls].at(-1);
    const question = questionOf(this.hooks.server, params);
    if (call === undefined || question === null || this.questions >= MAX_QUESTIONS)
      return { action: 'cancel' };
    this.questions += 1;
    try {
      return resultOf(question, await call.ask(question, signal));
    } finally {
      this.questions -= 1;
    }
  }

  private onClose(): void {
    // The client also closes a connection that failed to open. In that case its error gives the reason.
    const ending = endingOf(this.transport);
    if (!this.isClosing && (this.isUp || ending !== undefined))
      this.hooks.onLost(ending ?? because('mcp_closed'));
  }
}

const within = (signal: AbortSignal) => ({ signal, timeout: NO_LIMIT });
