import { type Parsed, parseJson } from '../../base/limited-json';

/** One event of an answer. `data` is usually JSON. */
export interface ServerEvent {
  name?: string;
  data: string;
}

/** Length of an event, or of an answer that is not a stream, in UTF-16 units. */
const MAX_WHOLE = 64 * 1024 * 1024;

/** Characters of text that belongs to no event. */
const MAX_OTHER = 1_000;

/** Of the standard. A comment has an empty one. */
const FIELDS: ReadonlySet<string> = new Set(['', 'data', 'event', 'id', 'retry']);

/**
 * Reads the events of a stream piece by piece: server-sent events as the standard defines them
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html), and plain JSON, by lines or as one value. Unlike in the
 * standard, the last event needs no empty line after it, and JSON may follow the events, because services that fail while
 * they answer write their error there. Empty events, with which proxies keep a connection alive, are left out.
 */
export class ServerEvents {
  /** Pieces of the line that is being read. */
  private line: string[] = [];
  private endedWithReturn = false;
  private name: string | undefined;
  private data: string[] = [];
  /** Lines of JSON that is not whole yet. Null while reading server-sent events. */
  private json: string[] | null = null;
  /** The start of text that belongs to no event, such as an error of a proxy. */
  other = '';
  /** Length of what was taken since the last event. */
  private length = 0;

  /** Throws if an event is too long. */
  take(piece: string): ServerEvent[] {
    this.length += piece.length;
    if (this.length > MAX_WHOLE)
      throw new Error(`A part of the answer is longer than ${MAX_WHOLE} characters.`);
    const events: ServerEvent[] = [];
    let from = this.endedWithReturn && piece.startsWith('\n') ? 1 : 0;
    if (piece !== '') this.endedWithReturn = piece.endsWith('\r');
    for (const { index, 0: end } of piece.matchAll(/\r\n|\n|\r/g)) {
      if (index < from) continue;
      this.line.push(piece.slice(from, index));
      from = index + end.length;
      events.push(...this.endLine());
    }
    if (from < piece.length) this.line.push(piece.slice(from));
    return events;
  }

  /** A part of an event at the end is left out: the stream broke off. */
  end(): ServerEvent[] {
    const events = this.line.length === 0 ? [] : this.endLine();
    const last = this.json === null ? this.endEvent() : [{ data: this.json.join(' ') }];
    return [...events, ...last.filter(({ data }) => isJson(data))];
  }

  private endLine(): ServerEvent[] {
    const line = this.line.join('');
    this.line = [];
    if (this.json !== null || (this.data.length === 0 && /^\s*[[{]/.test(line))) return this.jsonLine(line);
    if (line === '') return this.endEvent();
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'data') this.data.push(value);
    if (field === 'event') this.name = value;
    if (!FIELDS.has(field ?? '') && this.other.length < MAX_OTHER)
      this.other += `${line.slice(0, MAX_OTHER)}\n`;
    return [];
  }

  private endEvent(): ServerEvent[] {
    const { name, data } = this;
    this.name = undefined;
    this.data = [];
    this.length = 0;
    // Between the tokens of JSON, a space means the same as the standard's line break.
    const whole = data.join(' ');
    if (whole.trim() === '') return [];
    return [{ data: whole, ...(name === undefined || name === '' ? {} : { name }) }];
  }

  private jsonLine(line: string): ServerEvent[] {
    this.json ??= [];
    if (this.json.length === 0 && isJson(line)) {
      this.length = 0;
      return [{ data: line }];
    }
    if (line.trim() !== '') this.json.push(line);
    return [];
  }
}

/** The value of an event's data. */
export const valueIn = (data: string): Parsed =>
  parseJson(data, { maxBytes: MAX_WHOLE, maxDepth: Number.POSITIVE_INFINITY });

const isJson = (text: string): boolean => 'value' in valueIn(text);
