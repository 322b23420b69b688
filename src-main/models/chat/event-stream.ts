import { currentRequest } from './current-request';
import { type Loose, objectOf } from './loose';
import { type ServerEvent, ServerEvents, valueIn } from './server-events';

/** How a package reads the events of its service. */
export interface EventFormat {
  /** The events of one JSON value in the stream, which may be a whole answer. Default: the value itself. */
  eventsOf?: (value: Loose) => readonly object[];
  /** `type`: an event has its type as its name, too. `none`: it has no name. Default: the name that the server gave it. */
  names?: 'type' | 'none';
  /** An event is a line of JSON. */
  isLine?: boolean;
}

/**
 * The response with its events in exactly the form that the package of its service reads. Each package accepts less than the
 * standard does, and none accepts the whole answer of a server or proxy that does not stream.
 */
export function asEventStream(response: Response, format: EventFormat): Response {
  const { status, statusText, url } = response;
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  headers.set('content-type', format.isLine ? 'application/x-ndjson' : 'text/event-stream');
  const body = response.body?.pipeThrough(rewriting(format)) ?? '';
  const stream = new Response(body, { status: status === 204 ? 200 : status, statusText, headers });
  Object.defineProperty(stream, 'url', { value: url });
  return stream;
}

function rewriting(format: EventFormat): TransformStream<Uint8Array, Uint8Array> {
  const events = new ServerEvents();
  // It replaces what is no UTF-8, and drops a byte order mark.
  const decoder = new TextDecoder();
  const request = currentRequest();
  const encoder = new TextEncoder();
  const write = (read: readonly ServerEvent[], to: TransformStreamDefaultController<Uint8Array>) => {
    const text = read.map((event) => written(event, format)).join('');
    if (text !== '') to.enqueue(encoder.encode(text));
  };
  return new TransformStream({
    transform: (bytes, to) => {
      request?.note();
      write(events.take(decoder.decode(bytes, { stream: true })), to);
    },
    flush: (to) => {
      write(events.take(decoder.decode()), to);
      write(events.end(), to);
      if (request !== undefined) request.other = events.other.trim();
    },
  });
}

function written({ name: given, data }: ServerEvent, { eventsOf, names, isLine }: EventFormat): string {
  const name = names === 'none' ? undefined : given;
  // Most events are as they should be, and need not be parsed.
  const isPlain = names === undefined && eventsOf === undefined && !data.startsWith('[');
  if (isLine !== true && (name !== undefined || isPlain)) return event(name, data);
  const parsed = valueIn(data);
  // Only OpenAI's packages know this end.
  if (!('value' in parsed)) return isLine || (names === 'none' && data === '[DONE]') ? '' : event(name, data);
  const values: unknown[] = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  return values
    .flatMap((value) => eventsOf?.(objectOf(value)) ?? [objectOf(value)])
    .map((one) => {
      const json = JSON.stringify(one);
      if (isLine) return `${json}\n`;
      const type = objectOf(one).type;
      return event(names === 'type' && typeof type === 'string' ? type : name, json);
    })
    .join('');
}

const event = (name: string | undefined, data: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`;
