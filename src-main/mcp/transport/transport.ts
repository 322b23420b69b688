import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Reason } from '../../contract/shared/reasons';
import { type Challenge, keptProvider } from '../sign-in/sign-in';
import type { KeptSignIn } from '../sign-in/sign-ins';
import { checkedAnswers } from '../tools/checked-answers';
import type { OwnedProcess } from './processes';
import { serverFetch } from './server-fetch';
import { StdioTransport } from './stdio-transport';

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

export interface TransportHooks {
  own: (pid: number) => OwnedProcess;
  onErrorOutput: (text: string) => void;
  onJunk: (line: string) => void;
  /** An HTTP server requires authentication. */
  onRefused: (challenge: Challenge) => void;
}

export function transportTo(target: Target, hooks: TransportHooks): Transport {
  if (target.transport !== 'stdio') {
    const url = new URL(target.url);
    const { signIn } = target;
    // Without a saved sign-in there is nothing to refresh, and the browser opens only when the person asks for it.
    const isSignedIn = signIn !== null && signIn.read() !== null;
    const fetchIt = serverFetch(target.url, target.headers, hooks.onRefused);
    const options = {
      fetch: target.transport === 'http' ? checkedAnswers(fetchIt) : fetchIt,
      ...(isSignedIn ? { authProvider: keptProvider(signIn) } : {}),
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

/** Why a program ended; undefined while it runs, and for other transports. */
export const endingOf = (transport: Transport): Reason | undefined =>
  transport instanceof StdioTransport ? transport.ending : undefined;
