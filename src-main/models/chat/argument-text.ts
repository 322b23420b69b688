import { parseJson } from '../../base/limited-json';

/** Bytes of a call's arguments. */
export const MAX_ARGUMENTS = 64 * 1024 * 1024;

/**
 * The arguments of a call, piece by piece. Those that do not start as an object are held back until they are complete:
 * some servers send the JSON of a text that holds the JSON, or `null` and `[]` for no arguments.
 */
export class ArgumentText {
  private held: string | null = '';
  /** They do not start as an object. */
  private isOther = false;

  /** What can be passed on. */
  take(piece: string): string {
    if (this.held === null) return piece;
    this.held += piece;
    // Looking at a long text again for each piece would take the square of the time.
    if (this.isOther) return '';
    const start = this.held.trimStart();
    this.isOther = start !== '' && !start.startsWith('{');
    return start.startsWith('{') ? this.end() : '';
  }

  /** The rest. */
  end(): string {
    const { held } = this;
    this.held = null;
    return held === null ? '' : argumentsOf(held);
  }
}

/** The JSON of an object, from JSON that may be that of a text with it, or of nothing. Anything else stays as it is. */
export function argumentsOf(text: string): string {
  if (/^\s*(?:\{|$)/.test(text)) return text;
  const parsed = parseJson(text, { maxBytes: MAX_ARGUMENTS });
  if (!('value' in parsed)) return text;
  const { value } = parsed;
  if (value === null || (Array.isArray(value) && value.length === 0)) return '{}';
  return typeof value === 'string' ? argumentsOf(value) : text;
}

/** Arguments as JSON. Some servers send the object itself. */
export function jsonText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
