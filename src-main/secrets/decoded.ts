/** A text that is in another one in base64 or hexadecimal. */
export interface Decoded {
  form: 'base64' | 'hex';
  /** One character per byte. */
  text: string;
  /** The range in the original text, in UTF-16 units, of a part of the decoded one. */
  range: (start: number, end: number) => { start: number; end: number };
}

/** The number that a tool puts before each line of a file. */
const LABEL = '(?: {0,6}\\d+(?:\\.\\d+)?\\t| {2}\\d+[:-] )?';
/** At least 24 characters, also in several lines. Half a megabyte of them is enough for any secret. */
const BLOCK = new RegExp(
  `(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,500000}(?:\\r?\\n${LABEL}[A-Za-z0-9+/_-]{24,500000}){0,5000}(?:\\r?\\n${LABEL}(?:[A-Za-z0-9+/_-]{4}){1,5}(?![\\w+/-]))?(?:\\r?\\n${LABEL}(?=[\\w+/-]{1,23}=))?[A-Za-z0-9+/_-]*={0,2}`,
  'g',
);
/** A line of `xxd`, `hexdump` or `od`: an offset, at most 32 bytes in groups, and perhaps their characters. */
const DUMP = new RegExp(
  `^${LABEL} *(?:([0-9a-fA-F]{4,16})(:?))? {1,2}((?:[0-9a-fA-F]{2}){1,4}(?: {1,2}(?:[0-9a-fA-F]{2}){1,4}){0,31})(?= *$| {2,}.{0,40}$)`,
  'gm',
);
/** A line of `od -c`. */
const DUMP_OF_CHARACTERS = new RegExp(
  `^${LABEL} *(?:[0-7]{7})?((?: {3}[!-~]| {2}\\\\[\\\\abfnrtv0]| [0-7]{3}| {4}){1,16})$`,
  'gm',
);
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  0: '\0',
};
/** Characters of the decoded beginning that must be readable. */
const SAMPLE = 18;
const READABLE = /^[\t\n\r -~\u00a0-\uffff]+$/;

/** The readable texts that a text has in base64, in hexadecimal, and in hexadecimal dumps. Takes linear time. */
export function* decodedIn(text: string): Generator<Decoded> {
  for (const { 0: block, index } of text.matchAll(BLOCK)) {
    const decoded = /^[0-9a-fA-F\s]+$/.test(block.slice(0, 200))
      ? ofBlock(block, index, 'hex')
      : ofBlock(block, index, 'base64');
    if (decoded !== null) yield decoded;
  }
  yield* dumpsIn(text, DUMP, ([, offset, colon, groups = '']) => {
    const bytes = Buffer.from(groups.replaceAll(' ', ''), 'hex');
    // `od -x` and `hexdump` print numbers of two bytes, the low byte first; `xxd` has a colon.
    const isSwapped = offset !== undefined && colon === '' && /^[0-9a-f]{4}( |$)/i.test(groups);
    return (isSwapped && bytes.length % 2 === 0 ? bytes.swap16() : bytes).toString('latin1');
  });
  yield* dumpsIn(text, DUMP_OF_CHARACTERS, ([, cells = '']) =>
    cells.replace(/ {3}(.)| {2}\\(.)| ([0-7]{3})/g, (_, plain?: string, short = '', octal?: string) =>
      octal === undefined
        ? (plain ?? ESCAPES[short] ?? short)
        : String.fromCharCode(Number.parseInt(octal, 8)),
    ),
  );
}

function ofBlock(block: string, index: number, form: Decoded['form']): Decoded | null {
  const sample = Buffer.from(block.slice(0, form === 'hex' ? 2 * SAMPLE : 24), form).toString('latin1');
  if (!READABLE.test(sample)) return null;
  // Without labels and line ends, which are not part of the code.
  const lines: { at: number; from: number; length: number }[] = [];
  let code = '';
  const label = new RegExp(`^${LABEL}`);
  let start = 0;
  for (const line of block.split('\n')) {
    const skip = start === 0 ? 0 : (label.exec(line)?.[0].length ?? 0);
    const own = line.slice(skip).replace(/\r$/, '');
    lines.push({ at: index + start + skip, from: code.length, length: own.length });
    code += own;
    start += line.length + 1;
  }
  const place = (unit: number): number => {
    const line = lines.findLast(({ from }) => from <= unit) ?? lines[0];
    return line === undefined ? index : line.at + Math.min(unit - line.from, line.length);
  };
  // Each byte is one character, so that positions stay exact.
  const text = Buffer.from(code, form).toString('latin1');
  const [bytes, units] = form === 'hex' ? [1, 2] : [3, 4];
  return {
    form,
    text,
    range: (from, to) => ({
      start: place(Math.floor(from / bytes) * units),
      end: place(Math.min(code.length, Math.ceil(to / bytes) * units) - 1) + 1,
    }),
  };
}

/** What adjacent lines of a dump stand for. Ranges are whole lines, which also show the characters. */
function* dumpsIn(
  text: string,
  pattern: RegExp,
  read: (line: RegExpExecArray) => string,
): Generator<Decoded> {
  let lines: DumpLine[] = [];
  let parts: string[] = [];
  for (const match of text.matchAll(pattern)) {
    const last = lines.at(-1);
    const start = text.lastIndexOf('\n', match.index) + 1;
    const newline = text.indexOf('\n', match.index);
    if (last !== undefined && start > last.end + 1) {
      yield* ofDump(lines, parts.join(''));
      [lines, parts] = [[], []];
    }
    const part = read(match);
    const before = lines.at(-1);
    const from = before === undefined ? 0 : before.from + before.length;
    lines.push({ from, length: part.length, start, end: newline === -1 ? text.length : newline });
    parts.push(part);
  }
  yield* ofDump(lines, parts.join(''));
}

interface DumpLine {
  /** Position and length in the decoded text. */
  from: number;
  length: number;
  /** The line in the original one. */
  start: number;
  end: number;
}

function* ofDump(lines: readonly DumpLine[], text: string): Generator<Decoded> {
  if (text.length < SAMPLE || !READABLE.test(text.slice(0, SAMPLE))) return;
  const lineOf = (unit: number) => lines.findLast(({ from }) => from <= unit);
  yield {
    form: 'hex',
    text,
    range: (from, to) => ({ start: lineOf(from)?.start ?? 0, end: lineOf(to - 1)?.end ?? 0 }),
  };
}
