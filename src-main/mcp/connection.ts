import { setTimeout as delay } from 'node:timers/promises';
import { Validator } from '@langchain/core/utils/json_schema';
import { loadMcpTools } from '@langchain/mcp-adapters';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type ListToolsRequest,
  type ListToolsResult,
  McpError,
  ToolListChangedNotificationSchema,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { isShallow } from '../base/limited-json';
import { because, type Reason } from '../contract/shared/reasons';
import type { ServerTool } from './offered-tool';
import { plainSchema } from './plain-schema';
import { problem } from './problem';
import type { OwnedProcess } from './processes';
import { promptsOf, promptText, type ServerPrompt } from './prompts';
import { raced } from './raced';
import { callResourceTool, RESOURCE_TOOLS } from './resources';
import { contentOf } from './results';
import { serverFetch } from './server-fetch';
import { type Challenge, keptProvider } from './sign-in';
import type { KeptSignIn } from './sign-ins';
import { StdioTransport } from './stdio-transport';

/** Maximum tools used from one server; a request to a model has space for about a hundred. */
const MAX_TOOLS = 128;
/** Maximum pages of a tool list; a faulty server may always name a next page. */
const MAX_PAGES = 50;
/** UTF-16 units of a description, which is sent with every request. */
const MAX_DESCRIPTION = 4_000;
/** Milliseconds for ending the session with an HTTP server. */
const LEAVE_WITHIN = 1_000;

/** A server with all variables expanded. */
export type Target =
  | { transport: 'stdio'; command: string; args: string[]; cwd: string; env: Record<string, string> }
  | {
      transport: 'http' | 'sse';
      url: string;
      headers: Record<string, string>;
      /** Null if it cannot use a sign-in: it has a key configured, or the connection is not private. */
      signIn: KeptSignIn | null;
    };

export interface ToolList {
  tools: ServerTool[];
  leftOut: { name: string; why: Reason }[];
}

export interface ConnectionHooks {
  version: string;
  own: (pid: number) => OwnedProcess;
  onErrorOutput: (text: string) => void;
  onJunk: (line: string) => void;
  /** The connection is lost; `why` explains the reason. Not called after `close`. */
  onLost: (why: Reason) => void;
  onToolsChanged: () => void;
  /** An HTTP server requires authentication. */
  onRefused: (challenge: Challenge) => void;
}

export interface Connection {
  list(signal: AbortSignal): Promise<ToolList>;
  /** The server's answer. Rejects if it reports an error, is gone, or `signal` aborts. */
  call(
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ReturnType<typeof contentOf>>;
  /** The prompts for the person; empty if the server has none. Rejects like `call`. */
  prompts(signal: AbortSignal): Promise<ServerPrompt[]>;
  prompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<string>;
  /** Rejects if the server does not answer before `limit` aborts. */
  ping(limit: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const LooseList = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/**
 * The SDK's client with more tolerance: a tool with an invalid description is left out with the reason, instead of all
 * tools. Results are not validated against the server's output schema, because the model reads whatever arrives.
 */
class ToolClient extends Client {
  leftOut: ToolList['leftOut'] = [];
  private pages = 0;

  override async listTools(
    params?: ListToolsRequest['params'],
    options?: RequestOptions,
  ): Promise<ListToolsResult> {
    if (params?.cursor === undefined) {
      this.leftOut = [];
      this.pages = 0;
    }
    this.pages += 1;
    const page = await this.request({ method: 'tools/list', params }, LooseList, options);
    const tools = page.tools.flatMap((raw) => {
      const name = nameOf(raw);
      const leaveOut = (why: Reason) => {
        this.leftOut.push({ name, why });
        return [];
      };
      if (!isShallow(raw)) return leaveOut(BROKEN);
      const tool = ToolSchema.safeParse(raw);
      if (!tool.success) return leaveOut(because('mcp_tool_form'));
      const inputSchema = plainSchema(tool.data.inputSchema);
      // Nothing validates results against the output schema.
      const { outputSchema: _, ...described } = tool.data;
      if (inputSchema === null) return leaveOut(BROKEN);
      return [{ ...described, inputSchema: { ...inputSchema, type: 'object' as const } }];
    });
    const next = this.pages < MAX_PAGES && page.nextCursor !== '' ? page.nextCursor : undefined;
    return next === undefined ? { tools } : { tools, nextCursor: next };
  }
}

const nameOf = (raw: unknown): string =>
  raw !== null && typeof raw === 'object' && 'name' in raw && typeof raw.name === 'string' ? raw.name : '?';

/**
 * Starts or connects to the server and initializes the session. If that fails or `signal` aborts, it rejects and leaves
 * nothing running.
 */
export async function openConnection(
  target: Target,
  hooks: ConnectionHooks,
  signal: AbortSignal,
): Promise<Connection> {
  const client = new ToolClient({ name: 'deepdesk', version: hooks.version });
  const transport = transportTo(target, hooks);
  let closing = false;
  let isUp = false;
  client.onclose = () => {
    const ending = endingOf(transport);
    // The client also closes a connection that failed to open. In that case its error gives the reason.
    if (!closing && (isUp || ending !== undefined)) hooks.onLost(ending ?? because('mcp_closed'));
  };
  // Receives non-fatal errors. Fatal ones also close the connection or fail the request.
  client.onerror = () => undefined;
  client.setNotificationHandler(ToolListChangedNotificationSchema, hooks.onToolsChanged);
  const close = async () => {
    closing = true;
    if (transport instanceof StreamableHTTPClientTransport) {
      await Promise.race([transport.terminateSession().catch(() => undefined), delay(LEAVE_WITHIN)]);
    }
    await client.close();
    // The client abandons a transport that failed before it was connected.
    await transport.close();
  };
  try {
    await raced(client.connect(transport, { signal, timeout: NO_LIMIT }), signal);
    isUp = true;
  } catch (error) {
    closing = true;
    await close().catch(() => undefined);
    if (signal.aborted) throw signal.reason;
    const ending = endingOf(transport);
    throw ending === undefined ? error : problem(ending);
  }
  type AdapterTool = Awaited<ReturnType<typeof loadMcpTools>>[number];
  let known = new Map<string, AdapterTool>();
  return {
    list: async (listSignal) => {
      const offers = client.getServerCapabilities();
      const adapted =
        offers?.tools === undefined
          ? []
          : await raced(
              loadMcpTools('server', client, {
                throwOnLoadError: false,
                useStandardContentBlocks: true,
                outputHandling: 'content',
              }),
              listSignal,
            );
      const list: ToolList = { tools: [], leftOut: [...client.leftOut] };
      known = new Map();
      for (const tool of adapted) {
        const why = refusal(tool.schema, known.has(tool.name), list.tools.length);
        if (why !== null) list.leftOut.push({ name: tool.name, why });
        else {
          known.set(tool.name, tool);
          list.tools.push(describedBy(tool));
        }
      }
      // A tool of the server with the same name takes precedence.
      if (offers?.resources !== undefined)
        list.tools.push(...RESOURCE_TOOLS.filter(({ title }) => !known.has(title)));
      return list;
    },
    call: async (name, args, callSignal) => {
      const tool = known.get(name);
      if (tool === undefined && RESOURCE_TOOLS.some(({ title }) => title === name))
        return raced(
          callResourceTool(client, name, args, { signal: callSignal, timeout: NO_LIMIT }),
          callSignal,
        );
      if (tool === undefined) throw problem(because('mcp_tool_gone', { name }));
      const message: unknown = await raced(
        tool.invoke(
          { type: 'tool_call', id: 'mcp', name, args },
          // Suppresses the adapter's tool events: the harness reports the call where it is made.
          { signal: callSignal, callbacks: [], metadata: { timeoutMs: NO_LIMIT } },
        ),
        callSignal,
      );
      const { content, artifact } = message as { content?: unknown; artifact?: unknown };
      return contentOf(content, artifact);
    },
    prompts: (asked) => raced(promptsOf(client, { signal: asked, timeout: NO_LIMIT }), asked),
    prompt: (name, args, asked) =>
      raced(promptText(client, name, args, { signal: asked, timeout: NO_LIMIT }), asked),
    ping: async (limit) => {
      try {
        await raced(client.ping({ signal: limit, timeout: NO_LIMIT }), limit);
      } catch (error) {
        // An error is an answer too.
        if (limit.aborted || !(error instanceof McpError)) throw error;
      }
    },
    close,
  };
}

/** Milliseconds that no call takes. The signal enforces the real limit and also notifies the server. */
const NO_LIMIT = 2_000_000_000;

function transportTo(target: Target, hooks: ConnectionHooks): Transport {
  if (target.transport !== 'stdio') {
    const url = new URL(target.url);
    const { signIn } = target;
    // Without a saved sign-in there is nothing to refresh, and the browser opens only when the person asks for it.
    const isSignedIn = signIn !== null && signIn.read() !== null;
    const options = {
      fetch: serverFetch(target.url, target.headers, hooks.onRefused),
      ...(isSignedIn ? { authProvider: keptProvider(signIn), redirectPolicy: 'same-origin' as const } : {}),
    };
    return target.transport === 'sse'
      ? new SSEClientTransport(url, options)
      : new StreamableHTTPClientTransport(url, options);
  }
  const { command, args, cwd, env } = target;
  if (process.platform !== 'win32') return new StdioTransport({ ...target, ...hooks });
  // Windows needs the SDK's lookup of `npx.cmd` and similar files.
  const transport = new StdioClientTransport({ command, args, cwd, env, stderr: 'pipe' });
  transport.stderr?.on('data', (chunk: Buffer) => hooks.onErrorOutput(chunk.toString('utf8')));
  const close = transport.close.bind(transport);
  transport.close = async () => {
    const { pid } = transport;
    if (pid !== null) await hooks.own(pid).end(0);
    await close();
  };
  return transport;
}

const endingOf = (transport: Transport) =>
  transport instanceof StdioTransport ? transport.ending : undefined;

function describedBy(tool: {
  name: string;
  description: string;
  schema: unknown;
  metadata?: unknown;
}): ServerTool {
  const { annotations } = (tool.metadata ?? {}) as {
    annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
  };
  return {
    title: tool.name,
    description:
      tool.description.length > MAX_DESCRIPTION
        ? `${tool.description.slice(0, MAX_DESCRIPTION)}…`
        : tool.description,
    schema: tool.schema as Record<string, unknown>,
    saysReadOnly: annotations?.readOnlyHint === true,
    saysDestructive: annotations?.destructiveHint === true,
  };
}

/** Why a tool is not offered; null if it is. */
function refusal(schema: unknown, isTwice: boolean, count: number): Reason | null {
  if (isTwice) return because('mcp_tool_twice');
  if (count >= MAX_TOOLS) return because('mcp_tools_over_limit', { limit: MAX_TOOLS });
  try {
    new Validator(schema as ConstructorParameters<typeof Validator>[0], '7', false).validate({});
    return null;
  } catch {
    return BROKEN;
  }
}

const BROKEN = because('mcp_tool_schema');
