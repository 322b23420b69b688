import type { DiffHunk } from '../../contract/approvals';

/** One file's diff as git wrote it, in latin1, so that every byte survives. */
export interface FileDiff {
  /** The lines before the first hunk. */
  head: string;
  hunks: { header: string; lines: string[] }[];
  isBinary: boolean;
  /** A link in place of a file, or the reverse: two diffs in one, of which no part makes sense alone. */
  isReplaced: boolean;
}

export const DIFF = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-renames',
  '--submodule=short',
  '--ignore-submodules=dirty',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '-U3',
];

export function parseDiff(bytes: Buffer): FileDiff {
  const text = bytes.toString('latin1');
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@ '));
  const head = lines.slice(0, first < 0 ? lines.length : first);
  const hunks: FileDiff['hunks'] = [];
  const further: string[] = [];
  let isHead = false;
  for (const line of first < 0 ? [] : lines.slice(first)) {
    // The lines of a hunk start with another character.
    if (line.startsWith('diff --git ')) isHead = true;
    if (line.startsWith('@@ ')) {
      isHead = false;
      hunks.push({ header: line, lines: [] });
    } else if (isHead) further.push(line);
    else hunks.at(-1)?.lines.push(line);
  }
  return {
    head: `${head.join('\n')}\n`,
    hunks,
    isBinary: [...head, ...further].some((line) => line.startsWith('Binary files ')),
    isReplaced: [...head, ...further].filter((line) => line.startsWith('diff --git ')).length > 1,
  };
}

/** A patch with one hunk. `reverse`: it is applied in reverse. */
export function patchOf({ head, hunks }: FileDiff, index: number, reverse: boolean): Buffer | null {
  const hunk = hunks[index];
  if (hunk === undefined) return null;
  const lines = [placed(hunk.header, reverse), ...hunk.lines];
  return Buffer.from(`${head}${lines.join('\n')}\n`, 'latin1');
}

/**
 * A header for a hunk that is applied without the ones before it. Git first tries the line where the hunk would end up with
 * them, and similar lines there would take it.
 */
function placed(header: string, reverse: boolean): string {
  const [, from = '', fromLines = '', to = '', toLines = '', rest = ''] =
    /^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@(.*)$/s.exec(header) ?? [];
  // A side without lines is a file that is new or gone: it has one hunk.
  if (from === '' || fromLines === ',0' || toLines === ',0') return header;
  const at = reverse ? to : from;
  return `@@ -${at}${fromLines} +${at}${toLines} @@${rest}`;
}

/** The diff of a new link. `target`: where it leads, in latin1. */
export function diffOfLink(name: string, target: string): Buffer {
  const [from, to] = ['a', 'b'].map((side) => quoted(`${side}/${Buffer.from(name).toString('latin1')}`));
  const lines = target.split('\n');
  const head = `diff --git ${from} ${to}\nnew file mode 120000\n--- /dev/null\n+++ ${to}\n`;
  const hunk = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
  return Buffer.from(`${head}${hunk}\\ No newline at end of file\n`, 'latin1');
}

/** A name in latin1 as git writes it: characters that would end it or the line as octal numbers. */
function quoted(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names may contain them
  const special = /["\\\x00-\x20\x7f-\xff]/g;
  const octal = (one: string) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return special.test(name) ? `"${name.replace(special, octal)}"` : name;
}

/** Hunks as text for the window. */
export function shownHunks({ hunks }: FileDiff): DiffHunk[] {
  return hunks.map(({ header, lines }) => {
    const [, oldStart, oldLines = '1', newStart, newLines = '1'] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(header) ?? [];
    return {
      oldStart: Number(oldStart),
      oldLines: Number(oldLines),
      newStart: Number(newStart),
      newLines: Number(newLines),
      lines: lines.map((line) => Buffer.from(line, 'latin1').toString('utf8').replace(/\r$/, '')),
    };
  });
}
