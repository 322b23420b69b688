import { isAbsolute } from 'node:path';
import {
  type AgentApp,
  type AgentContext,
  agent,
  methods,
  PROTOCOL_VERSION,
  type PromptResponse,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import {
  type AcpHost,
  AcpRefusal,
  type AcpSession,
  type Editor,
  EditorGone,
  type SessionPlace,
} from './host';
import { promptParts } from './prompt-parts';

/**
 * Creates an agent that editors host over the Agent Client Protocol, version 1 (agentclientprotocol.com). Connect it to a
 * stream: `createAcpAgent(host).connect(ndJsonStream(output, input))`. Invalid ids, unknown methods and prompts at the wrong
 * time get protocol errors and change nothing.
 */
export function createAcpAgent(host: AcpHost): AgentApp {
  const sessions = new Sessions(host);
  return agent({ name: host.info.name })
    .onConnect((connection) => {
      connection.signal.addEventListener('abort', () => sessions.leave(), { once: true });
    })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: host.info,
      authMethods: [],
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        mcpCapabilities: { http: false, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
    }))
    .onRequest(methods.agent.session.new, ({ params, client }) =>
      asProtocol(async () => {
        const session = sessions.add(await host.create(placeOf(params)));
        sessions.offerCommands(session, client);
        return { sessionId: session.id, ...choicesOf(session) };
      }),
    )
    .onRequest(methods.agent.session.load, ({ params, client }) =>
      asProtocol(async () => {
        const session = await sessions.load(params.sessionId, placeOf(params));
        for (const update of session.history()) void tell(client, session.id, update);
        sessions.offerCommands(session, client);
        return choicesOf(session);
      }),
    )
    .onRequest(methods.agent.session.resume, ({ params, client }) =>
      asProtocol(async () => {
        const session = await sessions.load(params.sessionId, placeOf(params));
        sessions.offerCommands(session, client);
        return choicesOf(session);
      }),
    )
    .onRequest(methods.agent.session.list, ({ params }) =>
      asProtocol(() => host.list(params.cwd ?? undefined, params.cursor ?? undefined)),
    )
    .onRequest(methods.agent.session.close, ({ params }) =>
      asProtocol(async () => {
        sessions.close(params.sessionId);
        return {};
      }),
    )
    .onRequest(methods.agent.session.setMode, ({ params }) =>
      asProtocol(async () => {
        await sessions.get(params.sessionId).setMode(params.modeId);
        return {};
      }),
    )
    .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
      asProtocol(async () => {
        const session = sessions.get(params.sessionId);
        await session.setOption(params.configId, String(params.value));
        return { configOptions: session.options() };
      }),
    )
    .onRequest(methods.agent.session.prompt, ({ params, client, signal }) =>
      asProtocol(() => sessions.prompt(params.sessionId, promptParts(params.prompt), client, signal)),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.cancel(params.sessionId));
}

/** The sessions of one connection, and the running prompt of each. */
class Sessions {
  private readonly open = new Map<string, AcpSession>();
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly host: AcpHost) {}

  add(session: AcpSession): AcpSession {
    this.open.set(session.id, session);
    return session;
  }

  async load(id: string, place: SessionPlace): Promise<AcpSession> {
    const session = this.open.get(id) ?? (await this.host.load(id, place));
    if (session === null) throw noSession(id);
    return this.add(session);
  }

  get(id: string): AcpSession {
    const session = this.open.get(id);
    if (session === undefined) throw noSession(id);
    return session;
  }

  close(id: string): void {
    this.get(id);
    this.cancel(id);
    this.open.delete(id);
  }

  cancel(id: string): void {
    this.running.get(id)?.abort();
  }

  /** Handles the editor's disconnect. */
  leave(): void {
    for (const controller of this.running.values()) controller.abort(new EditorGone());
  }

  /** Sends the list of commands after the response that names the session. */
  offerCommands(session: AcpSession, client: AgentContext): void {
    const offer = async () => {
      const availableCommands = await session.commands();
      await tell(client, session.id, { sessionUpdate: 'available_commands_update', availableCommands });
    };
    // A session works without its command list, so ignore the error.
    setImmediate(() => void offer().catch(() => undefined));
  }

  async prompt(
    id: string,
    parts: ReturnType<typeof promptParts>,
    client: AgentContext,
    requested: AbortSignal,
  ): Promise<PromptResponse> {
    const session = this.get(id);
    if (this.running.has(id))
      throw new AcpRefusal(
        'invalid',
        'This session is still at work. Cancel it, or wait until it has ended.',
      );
    if (parts.length === 0) throw new AcpRefusal('invalid', 'The message is empty.');
    const controller = new AbortController();
    this.running.set(id, controller);
    const onRequest = () => controller.abort();
    requested.addEventListener('abort', onRequest, { once: true });
    try {
      return { stopReason: await session.prompt(parts, editorOf(client, id), controller.signal) };
    } finally {
      requested.removeEventListener('abort', onRequest);
      this.running.delete(id);
    }
  }
}

const noSession = (id: string) =>
  new AcpRefusal(
    'not_found',
    `There is no session "${id.slice(0, 100)}" here. List the sessions, or start a new one.`,
  );

const choicesOf = (session: AcpSession) => ({ modes: session.modes(), configOptions: session.options() });

function placeOf(params: {
  cwd: string;
  mcpServers?: readonly { name: string }[];
  additionalDirectories?: readonly string[];
}): SessionPlace {
  if (!isAbsolute(params.cwd)) throw new AcpRefusal('invalid', 'cwd must be an absolute path.');
  return {
    cwd: params.cwd,
    mcpServers: (params.mcpServers ?? []).map(({ name }) => name),
    additionalDirectories: params.additionalDirectories ?? [],
  };
}

/** Ignores errors when the editor is gone: the session keeps what the notification was about. */
const tell = (client: AgentContext, sessionId: string, update: SessionUpdate) =>
  client.notify(methods.client.session.update, { sessionId, update }).catch(() => undefined);

function editorOf(client: AgentContext, sessionId: string): Editor {
  return {
    update: (update) => void tell(client, sessionId, update),
    ask: async ({ toolCall, options }, signal) => {
      const request: RequestPermissionRequest = { sessionId, toolCall, options };
      const { outcome } = await client.request(methods.client.session.requestPermission, request, {
        cancellationSignal: signal,
      });
      if (outcome.outcome === 'cancelled') return null;
      return options.some(({ optionId }) => optionId === outcome.optionId) ? outcome.optionId : null;
    },
  };
}

/** Converts refusals to protocol errors with their message. Unexpected errors stay internal errors. */
async function asProtocol<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AcpRefusal)) throw error;
    const code = { invalid: -32602, not_found: -32002, failed: -32603 }[error.kind];
    throw new RequestError(code, error.message);
  }
}
