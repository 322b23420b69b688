import type { IncomingHttpHeaders } from 'node:http';
import type { Damage } from './fragments';
import type { Json } from './json';
import type { NormalizedRequest, Step } from './script';

export interface RecordedRequest {
  method: string;
  /** Path with query, as requested. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The parsed body; undefined without a body or if it is not JSON. */
  body: Json | undefined;
  /** The state of the answer; `aborted`: the client disconnected before it was complete. */
  state: 'open' | 'answered' | 'broken' | 'aborted';
  /** Resolves when the connection is done with this request; `state` is final then. */
  ended: Promise<void>;
  /** The HTTP status, once sent. */
  status?: number;
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
  /** Index of the first frame that may be missing when a stream breaks: text or call has started before it. */
  breakAt: number;
  /** Index after the last text frame; 0 without text. */
  afterText: number;
  errorFrames: string[];
  /** The same answer without streaming. */
  body: Json;
  headers: Record<string, string>;
}

/** A request that the provider accepts. */
export interface Conversation {
  request: NormalizedRequest;
  stream: boolean;
  render(step: Step, damage?: Damage): Rendered;
}

/** Failures that are rejected with an error body before anything is streamed. */
export type Refusal =
  | 'unauthorized'
  | { rateLimited: { retryAfter?: number | string } }
  | 'overloaded'
  | 'server_error'
  | 'context_overflow'
  | 'unverified';

/** One provider's wire format. */
export interface Dialect {
  /** The path of the base URL, e.g. `/v1`. */
  base: string;
  open(request: RecordedRequest): PlainReply | Conversation;
  refuse(refusal: Refusal): PlainReply;
  /** The answer to a mistake in the test itself, with a status that clients do not retry. */
  invalid(message: string): PlainReply;
}
