import type { Found } from './kinds';

const BEGIN = '-----BEGIN ';
const END = '-----END ';
/** UTF-16 units. With line numbers, the largest keys in use are far below this. */
export const MAX_KEY_LENGTH = 24_000;
/** A line of a key, optionally after a tool's line number. */
const KEY_LINE =
  /^[ \t>|]*(?:\d{1,7}(?:\.\d+)?[\t:|-][ \t]?)?[A-Za-z0-9+/=]{16,80}[ \t\r]*$|^[ \t\r]*$|^[ \t]*(?:\d+\t)?(?:Proc-Type|DEK-Info):/;

/**
 * Private keys in the form that starts with `-----BEGIN … PRIVATE KEY-----`, up to their end. If the page ends earlier, a
 * key extends as far as its lines do. If the page starts within a key, everything before the key's end counts.
 */
export function* privateKeys(text: string): Generator<Found> {
  let from = 0;
  // Searches for each marker only once, however many of the other come first.
  let begin = text.indexOf(BEGIN);
  let stray = text.indexOf(END);
  for (;;) {
    if (begin >= 0 && begin < from) begin = text.indexOf(BEGIN, from);
    if (stray >= 0 && stray < from) stray = text.indexOf(END, from);
    if (stray >= 0 && (begin < 0 || stray < begin)) {
      from = stray + END.length;
      const end = headerEnd(text, stray);
      if (end !== null) yield { start: linesBefore(text, stray), end, kind: 'private-key' };
      continue;
    }
    if (begin < 0) return;
    const body = headerEnd(text, begin);
    from = begin + BEGIN.length;
    if (body === null) continue;
    const isClosed =
      stray > body && stray - body < MAX_KEY_LENGTH && !text.slice(body, stray).includes(BEGIN);
    const end = isClosed ? headerEnd(text, stray) : null;
    const found: Found = { start: begin, end: end ?? linesAfter(text, body), kind: 'private-key' };
    // A marker alone, as in the source of a key parser, is not a key.
    if (found.end - body > 40) yield found;
    from = Math.max(body, found.end);
  }
}

/** The end of the line that starts or ends a key; null for another kind, such as a certificate. */
function headerEnd(text: string, at: number): number | null {
  const line = /^-----(?:BEGIN|END) [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/.exec(text.slice(at, at + 80));
  return line === null ? null : at + line[0].length;
}

function linesAfter(text: string, from: number): number {
  let end = from;
  // In a program's string, line ends are two characters.
  const inString = /^(?:\\r?\\?n|[A-Za-z0-9+/=])+/.exec(text.slice(from, from + MAX_KEY_LENGTH));
  if (inString !== null) return from + inString[0].length;
  while (end < text.length && end - from < MAX_KEY_LENGTH) {
    const next = text.indexOf('\n', end + 1);
    const line = text.slice(end, next < 0 ? text.length : next).replace(/^\n/, '');
    if (!KEY_LINE.test(line) && end !== from) break;
    end = next < 0 ? text.length : next;
  }
  return end;
}

function linesBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < MAX_KEY_LENGTH) {
    const previous = text.lastIndexOf('\n', start - 2) + 1;
    const line = text.slice(previous, start).replace(/\n$/, '');
    if (line.trim() === '' || !KEY_LINE.test(line)) break;
    start = previous;
  }
  return start;
}
