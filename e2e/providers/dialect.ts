import type { IncomingHttpHeaders } from 'node:http';
import type { Damage } from './fragments';
import type { Json } from './json';
import type { NormalizedRequest, Step } from './script';

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
  | { rateLimited: { retryAfter?: number | string } }
  | 'overloaded'
  | 'server_error'
  | 'context_overflow'
  | 'unverified';

/** One provider's wire format. */
export interface Dialect {
  /** Path that belongs to the base URL, e.g. `/v1`. */
  base: string;
  open(request: RecordedRequest): PlainReply | Conversation;
  refuse(refusal: Refusal): PlainReply;
  /** An answer to a mistake of the test itself, of a kind that clients do not retry. */
  invalid(message: string): PlainReply;
}
