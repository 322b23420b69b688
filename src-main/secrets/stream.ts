import { findSecrets } from './find';
import { LONGEST_FORM } from './formats';
import { LONGEST_KEY } from './private-keys';

/** UTF-16 units of a line that are waited for before a part of it is let go. */
const LONG_LINE = LONGEST_FORM + 4_096;

/**
 * Text that comes in pieces, with secrets taken out that lie across their borders: whole lines are let go, what may
 * still become a secret waits. `redact` is given each part once.
 */
export class SecretStream {
  private waiting = '';

  constructor(private readonly redact: (text: string) => string) {}

  /** What may go on, which is less than has come, or more. */
  push(text: string): string {
    this.waiting += text;
    const cut = safeCut(this.waiting);
    if (cut === 0) return '';
    const ready = this.waiting.slice(0, cut);
    this.waiting = this.waiting.slice(cut);
    return this.redact(ready);
  }

  /** The rest; nothing comes after it. */
  end(): string {
    const rest = this.waiting;
    this.waiting = '';
    return rest === '' ? '' : this.redact(rest);
  }
}

/** Where a text can be cut without cutting a secret. */
function safeCut(text: string): number {
  const line = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  const begin = text.lastIndexOf('-----BEGIN ');
  if (begin >= 0 && begin < line && text.length - begin < LONGEST_KEY) {
    const key = text.slice(begin);
    const end = /-----END [A-Z0-9 ]{0,40}-----/.exec(key);
    const isCut = end === null || begin + end.index + end[0].length > line;
    if (isCut && /^-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY/.test(key)) return begin;
  }
  if (line > 0 || text.length < LONG_LINE) return line;
  const cut = text.length - LONGEST_FORM;
  const across = findSecrets(text).find(({ start, end }) => start < cut && end > cut);
  return across === undefined ? cut : across.start > 0 ? across.start : across.end;
}
