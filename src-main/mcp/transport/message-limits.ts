import { because } from '../../contract/shared/reasons';
import { problem } from '../problem';

/** Bytes of one message; parsing more would block the app. */
export const MAX_MESSAGE = 10 * 1024 * 1024;

/**
 * The response of an HTTP server, which fails if one of its messages is too large, before anything parses the JSON. Nesting
 * depth is checked per tool, so that the other tools stay available. Each event of an event stream is a message; any other
 * response is one message.
 */
export function limitedMessages(response: Response): Response {
  const { body, status, statusText, headers, url } = response;
  if (body === null) return response;
  const isEvents = /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const meter = new MessageMeter(isEvents);
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      if (meter.exceeds(chunk)) controller.error(problem(because('mcp_message_too_large')));
      else controller.enqueue(chunk);
    },
  });
  const limited = new Response(body.pipeThrough(limit), { status, statusText, headers });
  Object.defineProperty(limited, 'url', { value: url });
  return limited;
}

/** Counts the bytes of a message as they pass. */
class MessageMeter {
  private size = 0;
  /** The current line of an event stream is empty so far. */
  private isEmptyLine = true;
  private isAfterReturn = false;

  constructor(private readonly isEvents: boolean) {}

  /** Whether the message is too large. */
  exceeds(chunk: Uint8Array): boolean {
    if (this.isEvents) {
      for (const byte of chunk) {
        if (this.endsEvent(byte)) this.size = 0;
        else this.size += 1;
        if (this.size > MAX_MESSAGE) return true;
      }
      return false;
    }
    this.size += chunk.byteLength;
    return this.size > MAX_MESSAGE;
  }

  /** An empty line ends an event. The second byte of a CRLF does not count as one. */
  private endsEvent(byte: number): boolean {
    const isSecond = byte === LINE_FEED && this.isAfterReturn;
    const isLineEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
    const ends = isLineEnd && !isSecond && this.isEmptyLine;
    this.isAfterReturn = byte === CARRIAGE_RETURN;
    this.isEmptyLine = isLineEnd;
    return ends;
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
