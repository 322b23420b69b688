/** Bytes of one message; reading more would hold up the app. */
export const MAX_MESSAGE = 10 * 1024 * 1024;

/**
 * The answer of a server over HTTP, which ends with an error where one of its messages is too large:
 * before anything reads the JSON. How deep it is nested is checked for each tool, so that the others stay. An event stream has a message in each event, any other answer is one.
 */
export function limitedMessages(response: Response): Response {
  const { body, status, statusText, headers, url } = response;
  if (body === null) return response;
  const isEvents = /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const meter = new MessageMeter(isEvents);
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const problem = meter.read(chunk);
      if (problem === null) controller.enqueue(chunk);
      else controller.error(new Error(problem));
    },
  });
  const limited = new Response(body.pipeThrough(limit), { status, statusText, headers });
  Object.defineProperty(limited, 'url', { value: url });
  return limited;
}

/** Counts the bytes of a message while they pass. */
class MessageMeter {
  private size = 0;
  /** The line so far is empty, of an event stream. */
  private isEmptyLine = true;
  private isAfterReturn = false;

  constructor(private readonly isEvents: boolean) {}

  /** What is wrong, or null. */
  read(chunk: Uint8Array): string | null {
    if (this.isEvents) {
      for (const byte of chunk) {
        if (this.endsEvent(byte)) this.size = 0;
        else this.size += 1;
        if (this.size > MAX_MESSAGE) return TOO_LARGE;
      }
      return null;
    }
    this.size += chunk.byteLength;
    return this.size > MAX_MESSAGE ? TOO_LARGE : null;
  }

  /** An empty line does; the two bytes of one line's end are none. */
  private endsEvent(byte: number): boolean {
    const isSecond = byte === LINE_FEED && this.isAfterReturn;
    const isLineEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
    const ends = isLineEnd && !isSecond && this.isEmptyLine;
    this.isAfterReturn = byte === CARRIAGE_RETURN;
    this.isEmptyLine = isLineEnd;
    return ends;
  }
}

const TOO_LARGE = 'It sent a message of more than 10 MB.';
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
