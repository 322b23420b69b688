import { MAX_FORM_LENGTH } from './formats';
import type { Found } from './kinds';
import { MAX_KEY_LENGTH } from './private-keys';

/** Maximum UTF-16 units of a line to wait for before passing on a part of it. */
const LONG_LINE = MAX_FORM_LENGTH + 4_096;

/**
 * Redacts streamed text, including secrets across the pieces: passes on whole lines and holds back anything that may become
 * a secret. `redact` receives each part once, and `look` finds what it would redact.
 */
export class SecretStream {
  private waiting = '';

  constructor(
    private readonly redact: (text: string) => string,
    private readonly look: (text: string) => readonly Found[],
  ) {}

  /** The part that can be passed on: shorter or longer than the input. */
  push(text: string): string {
    this.waiting += text;
    const cut = safeCut(this.waiting, this.look);
    if (cut === 0) return '';
    const ready = this.waiting.slice(0, cut);
    this.waiting = this.waiting.slice(cut);
    return this.redact(ready);
  }

  /** The rest; no more text follows. */
  end(): string {
    const rest = this.waiting;
    this.waiting = '';
    return rest === '' ? '' : this.redact(rest);
  }
}

/** A position where a text can be cut without splitting a secret. */
function safeCut(text: string, look: (text: string) => readonly Found[]): number {
  const line = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  const begin = text.lastIndexOf('-----BEGIN ');
  if (begin >= 0 && begin < line && text.length - begin < MAX_KEY_LENGTH) {
    const key = text.slice(begin);
    const end = /-----END [A-Z0-9 ]{0,40}-----/.exec(key);
    const isCut = end === null || begin + end.index + end[0].length > line;
    if (isCut && /^-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY/.test(key)) return begin;
  }
  if (line > 0 || text.length < LONG_LINE) return line;
  const cut = text.length - MAX_FORM_LENGTH;
  const across = look(text).find(({ start, end }) => start < cut && end > cut);
  return across === undefined ? cut : across.start > 0 ? across.start : across.end;
}
