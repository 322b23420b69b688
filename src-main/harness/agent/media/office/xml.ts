/**
 * Calls `see` with each tag of an XML text, without its brackets, and with the text up to the next tag. It makes one pass,
 * however deep the nesting and whatever is left unclosed. Comments are left out; nothing is expanded.
 */
export function eachTag(xml: string, see: (name: string, tag: string, text: string) => void): void {
  for (let at = xml.indexOf('<'); at !== -1; ) {
    const end = closeOf(xml, at);
    if (end === -1) return;
    const { text, next } = textFrom(xml, end);
    const tag = xml.slice(at + 1, end - 1);
    if (!/^[!?]/.test(tag)) see(/^\/?[^\s/]*/u.exec(tag)?.[0] ?? '', tag, text);
    at = next;
  }
}

const COMMENT = '<!--';
const CDATA = '<![CDATA[';

/** The position after what starts at a bracket; -1 if it never ends. */
function closeOf(xml: string, at: number): number {
  const mark = xml.startsWith(COMMENT, at) ? '-->' : xml.startsWith(CDATA, at) ? ']]>' : '>';
  const end = xml.indexOf(mark, at);
  return end === -1 ? -1 : end + mark.length;
}

/** The text up to the next tag; `next` is where that starts, or -1. */
function textFrom(xml: string, start: number): { text: string; next: number } {
  let text = '';
  for (let from = start; ; ) {
    const next = xml.indexOf('<', from);
    text += xml.slice(from, next === -1 ? undefined : next);
    const isCdata = next !== -1 && xml.startsWith(CDATA, next);
    if (next === -1 || !(isCdata || xml.startsWith(COMMENT, next))) return { text, next };
    from = closeOf(xml, next);
    if (from === -1) return { text, next: -1 };
    if (isCdata) text += xml.slice(next + CDATA.length, from - 3).replaceAll('&', '&amp;');
  }
}

/** A tag's name without its prefix, which programs choose. */
export const local = (name: string): string => name.replace(/^(\/?)[^:]*:/u, '$1');

export const isWhole = (tag: string): boolean => tag.endsWith('/');

/** Counts how deep the tags are below elements whose text does not count. */
export class Skipped {
  private depth = 0;

  constructor(private readonly names: ReadonlySet<string>) {}

  /** Whether a tag, and the text after it, is not part of the text. */
  has(name: string, tag: string): boolean {
    if (this.names.has(name) && !isWhole(tag)) this.depth += 1;
    else if (name.startsWith('/') && this.names.has(name.slice(1))) {
      this.depth = Math.max(0, this.depth - 1);
      return this.depth > 0;
    }
    return this.depth > 0;
  }
}

export const named = (name: string): RegExp => new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`, 'u');

export function attribute(tag: string, pattern: RegExp): string | undefined {
  const [, double, single] = pattern.exec(tag) ?? [];
  const value = double ?? single;
  return value === undefined ? undefined : decoded(value);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

export const decoded = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/giu, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return ENTITIES[name] ?? whole;
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
