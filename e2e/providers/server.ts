import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ChunkCutter, type Damage } from './fragments';
import { type Json, parseJson } from './json';
import type { Failure, NormalizedRequest, Script, Step } from './script';

export interface ProviderOptions {
  /** The only key the server accepts. Default: `test-key`. */
  apiKey?: string;
  /** Models it knows; any other is answered 404. Default: it knows every name. */
  models?: readonly string[];
  /** Milliseconds between two deltas, for watching an answer grow. Default 0. */
  pace?: number;
}

export interface RecordedRequest {
  method: string;
  /** Path with query, as requested. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Parsed body; undefined when there was none or it was not JSON. */
  body: Json | undefined;
  /** Where the answer stands; `aborted`: the client went away before it was complete. */
  state: 'open' | 'answered' | 'broken' | 'aborted';
  /** Resolves when the connection is done with this request; `state` is final then. */
  ended: Promise<void>;
  /** HTTP status sent, as soon as one was. */
  status?: number;
}

export interface ProviderServer {
  /** Base URL as the LangChain class takes it. */
  url: string;
  /** Every request in the order of arrival, refused ones included. */
  requests: RecordedRequest[];
  /** The next conversation request fails so, whatever the script says; calls queue up. */
  failNext(failure: Failure): void;
  /** Ends every connection, held ones too, and frees the port. */
  close(): Promise<void>;
}

/** An answer that is not a conversation: an error, or the list of models. */
export interface PlainReply {
  status: number;
  headers?: Record<string, string>;
  body: Json;
}

/** A scripted answer in the provider's format. `frames` are whole SSE frames with their blank line. */
export interface Rendered {
  frames: string[];
  /** Index of the first frame that may be missing when a stream breaks: text or call has begun before it. */
  breakAt: number;
  /** Index after the last text frame; 0 when there is no text. */
  afterText: number;
  errorFrames: string[];
  /** What the same answer is without streaming. */
  body: Json;
  headers: Record<string, string>;
}

/** A request the provider's rules accept. */
export interface Conversation {
  request: NormalizedRequest;
  stream: boolean;
  render(step: Step, damage?: Damage): Rendered;
}

/** Failures that are refused with an error body before anything is streamed. */
export type Refusal =
  | 'unauthorized'
  | { rateLimited: { retryAfter?: number } }
  | 'overloaded'
  | 'server_error'
  | 'context_overflow';

/** One provider's wire format. */
export interface Dialect {
  /** Path that belongs to the base URL, e.g. `/v1`. */
  base: string;
  open(request: RecordedRequest): PlainReply | Conversation;
  refuse(refusal: Refusal): PlainReply;
  /** An answer to a mistake of the test itself, of a kind that clients do not retry. */
  invalid(message: string): PlainReply;
}

const isPlain = (opened: PlainReply | Conversation): opened is PlainReply => 'status' in opened;

const sameFailure = (failure: Failure) => JSON.stringify(failure);

/**
 * Starts a provider on 127.0.0.1 at a free port. A script that throws is answered with a 400 that says so, so that
 * a test fails at once instead of after the client's retries.
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

/** Writes one answer, whole or broken in the way asked for. */
class Delivery {
  readonly #response: ServerResponse;
  readonly #record: RecordedRequest;
  readonly #pace: number;

  constructor(response: ServerResponse, record: RecordedRequest, pace: number) {
    this.#response = response;
    this.#record = record;
    this.#pace = pace;
  }

  plain(reply: PlainReply): void {
    this.#head(reply.status, { 'content-type': 'application/json', ...reply.headers });
    this.#record.state = 'answered';
    this.#response.end(JSON.stringify(reply.body));
  }

  async conversation(
    dialect: Dialect,
    opened: Conversation,
    step: Step,
    failure: Failure | undefined,
  ): Promise<void> {
    if (typeof failure === 'object') return this.plain(dialect.refuse(failure));
    switch (failure) {
      case 'unauthorized':
      case 'overloaded':
      case 'server_error':
      case 'context_overflow':
        return this.plain(dialect.refuse(failure));
      case 'empty':
        return this.#whole(opened, opened.render({}));
      case 'bad_tool_json':
      case 'cut_tool_json':
        return this.#whole(opened, opened.render(withCall(step, opened.request), failure));
      case 'hang':
        return this.#hang(opened, opened.render(step));
      case 'cut':
      case 'cut_clean':
      case 'error_event':
        return opened.stream
          ? this.#broken(opened.render(withText(step)), failure)
          : this.#brokenBody(dialect, opened.render(withText(step)), failure);
      case undefined:
        return this.#whole(opened, opened.render(step));
    }
  }

  async #whole(opened: Conversation, rendered: Rendered): Promise<void> {
    if (!opened.stream) return this.plain({ status: 200, headers: rendered.headers, body: rendered.body });
    this.#streamHead(rendered);
    if (!(await this.#send(rendered.frames))) return;
    this.#record.state = 'answered';
    this.#response.end();
  }

  async #hang(opened: Conversation, rendered: Rendered): Promise<void> {
    if (!opened.stream || rendered.afterText === 0) return;
    this.#streamHead(rendered);
    await this.#send(rendered.frames.slice(0, rendered.afterText));
  }

  async #broken(rendered: Rendered, failure: 'cut' | 'cut_clean' | 'error_event'): Promise<void> {
    this.#streamHead(rendered);
    // Set now: a client that meets the error event closes before the last bytes are confirmed.
    this.#record.state = 'broken';
    const frames = rendered.frames.slice(0, rendered.breakAt);
    if (!(await this.#send(failure === 'error_event' ? [...frames, ...rendered.errorFrames] : frames)))
      return;
    if (failure === 'cut') this.#response.destroy();
    else this.#response.end();
  }

  /** Without streaming there is no event to send: the error becomes a 500, a cut leaves half of the body. */
  async #brokenBody(
    dialect: Dialect,
    rendered: Rendered,
    failure: 'cut' | 'cut_clean' | 'error_event',
  ): Promise<void> {
    if (failure === 'error_event') return this.plain(dialect.refuse('server_error'));
    const body = JSON.stringify(rendered.body);
    this.#head(200, { 'content-type': 'application/json', ...rendered.headers });
    await this.#write(Buffer.from(body.slice(0, body.length >> 1)));
    this.#record.state = 'broken';
    if (failure === 'cut') this.#response.destroy();
    else this.#response.end();
  }

  #head(status: number, headers: Record<string, string>): void {
    this.#record.status = status;
    this.#response.writeHead(status, headers);
  }

  #streamHead(rendered: Rendered): void {
    this.#response.socket?.setNoDelay(true);
    this.#head(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      ...rendered.headers,
    });
  }

  /** False when the client went away meanwhile. */
  async #send(frames: readonly string[]): Promise<boolean> {
    const cutter = new ChunkCutter();
    for (const frame of frames) {
      await this.#write(cutter.push(frame));
      if (this.#response.destroyed) return false;
    }
    await this.#write(cutter.flush());
    return !this.#response.destroyed;
  }

  /** Resolves when the bytes are handed to the system (or the client is gone), so that a cut comes after them. */
  async #write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0 || this.#response.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#response.write(bytes, () => resolve());
    });
    await new Promise<void>((resolve) => {
      if (this.#pace > 0) setTimeout(resolve, this.#pace);
      else setImmediate(resolve);
    });
  }
}

function withText(step: Step): Step {
  return step.text === undefined && step.calls === undefined
    ? { ...step, text: 'This answer breaks off in the middle of a sentence.' }
    : step;
}

/** A step with a call to break; when it has none, the request's first tool is called. */
function withCall(step: Step, request: NormalizedRequest): Step {
  if (step.calls !== undefined && step.calls.length > 0) return step;
  const name = request.tools[0]?.name ?? 'read_file';
  return { ...step, calls: [{ name, args: { file_path: '/notes.txt' } }] };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
