import { isUtf8 } from 'node:buffer';
import type { ScanTarget } from './job';

const NEWLINE = 10;

/** Finds lines in a block of whole lines. */
export interface Finder {
  /** A cheap and certain test that none of these bytes can match. */
  excludes: (bytes: Buffer) => boolean;
  /** Passes each matching line, without its line ending, until `onLine` returns true. */
  lines: (bytes: Buffer, onLine: (from: number, to: number) => boolean) => void;
}

export function finderOf(target: Extract<ScanTarget, { kind: 'literal' | 'regex' }>): Finder {
  return target.kind === 'literal' ? literalFinder(target.text) : regexFinder(target);
}

function literalFinder(text: string): Finder {
  const wanted = Buffer.from(text);
  return {
    excludes: (bytes) => !bytes.includes(wanted),
    lines: (bytes, onLine) => {
      for (let hit = bytes.indexOf(wanted); hit >= 0; ) {
        const end = bytes.indexOf(NEWLINE, hit);
        const to = end < 0 ? bytes.length : end;
        if (onLine(hit === 0 ? 0 : bytes.lastIndexOf(NEWLINE, hit) + 1, to) || end < 0) return;
        hit = bytes.indexOf(wanted, end + 1);
      }
    },
  };
}

function regexFinder(target: { source: string; flags: string; literal: string }): Finder {
  const regex = new RegExp(target.source, target.flags);
  const literal = Buffer.from(target.literal);
  return {
    excludes: (bytes) => literal.length > 0 && !bytes.includes(literal),
    lines: (bytes, onLine) => {
      if (isUtf8(bytes)) linesOfText(bytes, regex, onLine);
      else linesOfBytes(bytes, regex, onLine);
    },
  };
}

function linesOfText(bytes: Buffer, regex: RegExp, onLine: (from: number, to: number) => boolean): void {
  const text = bytes.toString('utf8');
  const plain = text.length === bytes.length;
  // Bytes and characters already passed, if the two differ.
  let [chars, passed] = [0, 0];
  const offset = (at: number): number => {
    if (plain) return at;
    passed += Buffer.byteLength(text.slice(chars, at));
    chars = at;
    return passed;
  };
  regex.lastIndex = 0;
  for (let found = regex.exec(text); found !== null; found = regex.exec(text)) {
    const from = found.index === 0 ? 0 : text.lastIndexOf('\n', found.index - 1) + 1;
    const end = text.indexOf('\n', found.index);
    const to = end < 0 ? text.length : end;
    // Nothing follows the last line ending.
    if (from === text.length && text.length > 0) return;
    if (onLine(offset(from), offset(to)) || end < 0) return;
    regex.lastIndex = end + 1;
  }
}

/** Line by line, with a surrogate half for each byte that is not UTF-8: only the same half matches it. */
function linesOfBytes(bytes: Buffer, regex: RegExp, onLine: (from: number, to: number) => boolean): void {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from);
    const to = end < 0 ? bytes.length : end;
    const line = bytes.subarray(from, to);
    regex.lastIndex = 0;
    if (regex.test(isUtf8(line) ? line.toString('utf8') : escapedText(line)) && onLine(from, to)) return;
    from = to + 1;
  }
}

function escapedText(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const char = bytes.subarray(at, at + length);
    if (isUtf8(char)) {
      text += char.toString('utf8');
      at += length;
    } else {
      text += String.fromCharCode(0xdc00 + first);
      at += 1;
    }
  }
  return text;
}
