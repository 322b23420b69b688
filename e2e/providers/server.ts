import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recordRequest } from '../support/recording';
import { Delivery } from './delivery';
import type { Conversation, Dialect, PlainReply, RecordedRequest } from './dialect';
import { parseJson } from './json';
import type { Failure, Script, Step } from './script';

export interface ProviderOptions {
  /** The only key that the server accepts. Default: `test-key`. */
  apiKey?: string;
  /** Known models; any other gets a 404. Default: it knows every name. */
  models?: readonly string[];
  /** A missing path, as behind a proxy that supports fewer paths. OpenAI only. */
  without?: string;
  /** Milliseconds between two deltas, for watching an answer grow. Default 0. */
  pace?: number;
}

export interface ProviderServer {
  /** The base URL for the LangChain class. */
  url: string;
  /** Every request in order of arrival, including rejected ones. */
  requests: RecordedRequest[];
  /** Fails the next conversation request with this, whatever the script says; calls queue up. */
  failNext(failure: Failure): void;
  /** Closes every connection, including held ones, and frees the port. */
  close(): Promise<void>;
}

const isPlain = (opened: PlainReply | Conversation): opened is PlainReply => 'status' in opened;

const sameFailure = (failure: Failure) => JSON.stringify(failure);

/**
 * Starts a provider on 127.0.0.1 on a free port. A script that throws gets a 400 that says so, so that a test fails
 * immediately instead of after the client's retries.
 */
export async function startProvider(
  dialect: Dialect,
  script: Script,
  options: ProviderOptions = {},
): Promise<ProviderServer> {
  const requests: RecordedRequest[] = [];
  const queued: Failure[] = [];
  const spent = new Set<string>();

  const failureOf = (step: Step): Failure | undefined => {
    const next = queued.shift();
    if (next !== undefined) return next;
    const { fault } = step;
    if (fault === undefined) return undefined;
    if (typeof fault === 'string' || 'rateLimited' in fault) return fault;
    const key = sameFailure(fault.once);
    if (spent.has(key)) return undefined;
    spent.add(key);
    return fault.once;
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await readBody(incoming);
    const record: RecordedRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: raw === '' ? undefined : parseJson(raw),
      state: 'open',
      ended: new Promise((resolve) => {
        response.on('close', () => {
          if (record.state === 'open') record.state = 'aborted';
          resolve();
        });
      }),
    };
    requests.push(record);
    recordRequest(record);
    const delivery = new Delivery(response, record, options.pace ?? 0);
    const opened = dialect.open(record);
    if (isPlain(opened)) return delivery.plain(opened);
    let step: Step;
    try {
      step = await script(opened.request);
    } catch (error) {
      return delivery.plain(dialect.invalid(`The script of this server threw: ${String(error)}`));
    }
    await delivery.conversation(dialect, opened, step, failureOf(step));
  };

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => response.destroy(toError(error)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}${dialect.base}`,
    requests,
    failNext: (failure) => {
      queued.push(failure);
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
