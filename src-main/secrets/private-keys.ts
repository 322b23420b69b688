import type { Found } from './kinds';

const BEGIN = '-----BEGIN ';
const END = '-----END ';
/** UTF-16 units; with line numbers, the largest keys in use stay far below. */
export const LONGEST_KEY = 24_000;
/** A line of a key, also behind the line number that a tool puts there. */
const KEY_LINE =
  /^[ \t>|]*(?:\d{1,7}(?:\.\d+)?[\t:|-][ \t]?)?[A-Za-z0-9+/=]{16,80}[ \t\r]*$|^[ \t\r]*$|^[ \t]*(?:\d+\t)?(?:Proc-Type|DEK-Info):/;

/**
 * Private keys in the form that begins with `-----BEGIN … PRIVATE KEY-----`: up to their end, or, in a page that ends
 * before that, as far as their lines go. Of a page that begins within a key, what comes before its end.
 */
export function* privateKeys(text: string): Generator<Found> {
  let from = 0;
  // Each is looked for once, however many of the other come first.
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
    const isClosed = stray > body && stray - body < LONGEST_KEY && !text.slice(body, stray).includes(BEGIN);
    const end = isClosed ? headerEnd(text, stray) : null;
    const found: Found = { start: begin, end: end ?? linesAfter(text, body), kind: 'private-key' };
    // A name alone, as in the source of whatever reads such keys, is none.
    if (found.end - body > 40) yield found;
    from = Math.max(body, found.end);
  }
}

/** Where the line that begins or ends a key is over; null for one of another kind, as of a certificate. */
function headerEnd(text: string, at: number): number | null {
  const line = /^-----(?:BEGIN|END) [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/.exec(text.slice(at, at + 80));
  return line === null ? null : at + line[0].length;
}

function linesAfter(text: string, from: number): number {
  let end = from;
  // In a string of a program, line ends are two characters.
  const inString = /^(?:\\r?\\?n|[A-Za-z0-9+/=])+/.exec(text.slice(from, from + LONGEST_KEY));
  if (inString !== null) return from + inString[0].length;
  while (end < text.length && end - from < LONGEST_KEY) {
    const next = text.indexOf('\n', end + 1);
    const line = text.slice(end, next < 0 ? text.length : next).replace(/^\n/, '');
    if (!KEY_LINE.test(line) && end !== from) break;
    end = next < 0 ? text.length : next;
  }
  return end;
}

function linesBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < LONGEST_KEY) {
    const previous = text.lastIndexOf('\n', start - 2) + 1;
    const line = text.slice(previous, start).replace(/\n$/, '');
    if (line.trim() === '' || !KEY_LINE.test(line)) break;
    start = previous;
  }
  return start;
}
