import type { ServerResponse } from 'node:http';
import type { Conversation, Dialect, PlainReply, RecordedRequest, Rendered } from './dialect';
import { ChunkCutter } from './fragments';
import type { Failure, NormalizedRequest, Step } from './script';

/** Writes one answer, complete or broken in the requested way. */
export class Delivery {
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
      case 'unverified':
        return this.plain(dialect.refuse(failure));
      case 'empty':
        return this.#whole(opened, opened.render({}));
      case 'refusal':
        return this.#whole(opened, opened.render({ refusal: 'I cannot help with that.' }));
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
    // Set now, because a client closes at the error event, before the last bytes are confirmed.
    this.#record.state = 'broken';
    const frames = rendered.frames.slice(0, rendered.breakAt);
    if (!(await this.#send(failure === 'error_event' ? [...frames, ...rendered.errorFrames] : frames)))
      return;
    if (failure === 'cut') this.#response.destroy();
    else this.#response.end();
  }

  /** Without streaming there is no event to send: the error becomes a 500, and a cut leaves half of the body. */
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

  /** False if the client has disconnected. */
  async #send(frames: readonly string[]): Promise<boolean> {
    const cutter = new ChunkCutter();
    for (const frame of frames) {
      await this.#write(cutter.push(frame));
      if (this.#response.destroyed) return false;
    }
    await this.#write(cutter.flush());
    return !this.#response.destroyed;
  }

  /** Resolves when the system has the bytes (or the client has disconnected), so that a cut comes after them. */
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

/** A step with a call to break; if it has none, it calls the request's first tool. */
function withCall(step: Step, request: NormalizedRequest): Step {
  if (step.calls !== undefined && step.calls.length > 0) return step;
  const name = request.tools[0]?.name ?? 'read_file';
  return { ...step, calls: [{ name, args: { file_path: '/notes.txt' } }] };
}
