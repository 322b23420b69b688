import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { cx } from './cx';
import { ExactText } from './exact-text';
import { useHighlight } from './markdown/highlight';
import type { Token } from './markdown/highlighter';
import { languageOf } from './markdown/languages';
import { counted, useWords } from './words';

export interface Hunk {
  /** 1-based, as in a unified diff. */
  oldStart: number;
  newStart: number;
  /** Each line with its marker: ' ', '+', '-' or '\\'. */
  lines: readonly string[];
}

interface Part {
  text: string;
  changed: boolean;
}

export interface DiffRow {
  kind: 'same' | 'added' | 'removed' | 'note';
  oldLine?: number;
  newLine?: number;
  parts: Part[];
}

/** Lines longer than this are not compared word by word. */
const MAX_WORD_DIFF = 2_000;

/** Maximum word edits between two lines, and maximum UTF-16 units per hunk, for a word-by-word comparison. */
const MAX_EDITS = 100;
const MAX_COMPARED = 100_000;

/** The rows of a hunk with line numbers. Marks the differences between a removed line and the added one that replaces it. */
export function diffRows(hunk: Hunk): DiffRow[] {
  const rows: DiffRow[] = [];
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  let removed: DiffRow[] = [];
  let added: DiffRow[] = [];
  const budget = { left: MAX_COMPARED };
  const close = () => {
    markChanges(removed, added, budget);
    removed = [];
    added = [];
  };
  for (const line of hunk.lines) {
    const parts = [{ text: line.slice(1), changed: false }];
    if (line.startsWith('-')) {
      if (added.length > 0) close();
      const row: DiffRow = { kind: 'removed', oldLine: oldLine++, parts };
      removed.push(row);
      rows.push(row);
    } else if (line.startsWith('+')) {
      const row: DiffRow = { kind: 'added', newLine: newLine++, parts };
      added.push(row);
      rows.push(row);
    } else if (line.startsWith('\\')) {
      rows.push({ kind: 'note', parts });
    } else {
      close();
      rows.push({ kind: 'same', oldLine: oldLine++, newLine: newLine++, parts });
    }
  }
  close();
  return rows;
}

function markChanges(removed: DiffRow[], added: DiffRow[], budget: { left: number }): void {
  if (removed.length !== added.length) return;
  for (const [index, before] of removed.entries()) {
    const after = added[index];
    const [a, b] = [before.parts[0]?.text ?? '', after?.parts[0]?.text ?? ''];
    if (!after || a.length > MAX_WORD_DIFF || b.length > MAX_WORD_DIFF) continue;
    budget.left -= a.length + b.length;
    if (budget.left < 0) return;
    const changes = diffWordsWithSpace(a, b, { maxEditLength: MAX_EDITS });
    if (changes === undefined) continue;
    // Two lines with nothing in common are separate lines, not a change within one line.
    if (!changes.some((part) => !part.added && !part.removed && part.value.trim() !== '')) continue;
    const side = (leave: 'added' | 'removed') =>
      changes
        .filter((part) => !part[leave])
        .map((part) => ({ text: part.value, changed: part.added || part.removed }));
    before.parts = side('added');
    after.parts = side('removed');
  }
}

/** Part of a line with one color and one mark. */
export interface Run extends Part {
  color?: string;
}

/**
 * Combines the parts of a line with the colors of its tokens. Leaves out the colors if the tokens belong to another text.
 */
export function coloredRuns(parts: readonly Part[], tokens: readonly Token[] | undefined): Run[] {
  const text = parts.map((part) => part.text).join('');
  if (tokens === undefined || tokens.map((token) => token.text).join('') !== text) return [...parts];
  const runs: Run[] = [];
  let place = 0;
  let used = 0;
  for (const part of parts) {
    let left = part.text.length;
    while (left > 0) {
      const token = tokens[place];
      if (token === undefined) return [...parts];
      const size = Math.min(left, token.text.length - used);
      const run: Run = { text: token.text.slice(used, used + size), changed: part.changed };
      if (size > 0) runs.push(token.color === undefined ? run : { ...run, color: token.color });
      left -= size;
      used += size;
      if (used === token.text.length) {
        place++;
        used = 0;
      }
    }
  }
  return runs;
}

/** A row with its tokens. */
type Drawn = DiffRow & { runs: Run[] };

/** Each hunk's rows in the colors of the file's language, once the grammar is loaded. */
function useRows(hunks: readonly Hunk[], file: string | undefined): Drawn[][] {
  const language = file === undefined ? undefined : languageOf(file);
  const side = (leave: string) =>
    hunks
      .flatMap((hunk) => hunk.lines)
      .filter((line) => !line.startsWith(leave) && !line.startsWith('\\'))
      .map((line) => line.slice(1))
      .join('\n');
  const before = useHighlight(side('+'), language);
  const after = useHighlight(side('-'), language);
  const plain = useMemo(() => hunks.map(diffRows), [hunks]);
  let oldAt = 0;
  let newAt = 0;
  return plain.map((rows) =>
    rows.map((row) => {
      const tokens =
        row.kind === 'removed' ? before?.[oldAt] : row.kind === 'note' ? undefined : after?.[newAt];
      if (row.oldLine !== undefined) oldAt++;
      if (row.newLine !== undefined) newAt++;
      return { ...row, runs: coloredRuns(row.parts, tokens) };
    }),
  );
}

/** Pairs the left and right cells of each row for the side-by-side view. */
export function pairs<R extends Pick<DiffRow, 'kind'>>(
  rows: readonly R[],
): { left: R | undefined; right: R | undefined }[] {
  const paired: { left: R | undefined; right: R | undefined }[] = [];
  let removed: R[] = [];
  let added: R[] = [];
  const close = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      paired.push({ left: removed[at], right: added[at] });
    removed = [];
    added = [];
  };
  for (const row of rows) {
    if (row.kind === 'removed') {
      if (added.length > 0) close();
      removed.push(row);
    } else if (row.kind === 'added') added.push(row);
    else if (row.kind === 'same') {
      close();
      paired.push({ left: row, right: row });
    }
  }
  close();
  return paired;
}

interface DiffProps {
  hunks: readonly Hunk[];
  maxHeight?: number;
  /** For screen readers: what changed. */
  label: string;
  /** False where line numbers mean nothing: for a passage rather than a file. */
  numbers?: boolean;
  /** The file name; selects the language for the colors. */
  file?: string;
  /** Old text on the left, new text on the right. */
  split?: boolean;
  /** The hunk above, where each hunk has a diff of its own. Unchanged lines are counted from its end. */
  above?: Hunk | undefined;
}

const surface = { same: '', added: 'bg-add', removed: 'bg-del', note: 'text-fg-3 italic' };
const marks = { same: ' ', added: '+', removed: '−', note: ' ' };

/** Hunks in one column with both line numbers, or side by side. Invisible characters are shown as escapes. */
export const Diff = ({ hunks, maxHeight, label, numbers = true, file, split = false, above }: DiffProps) => {
  const words = useWords();
  const rows = useRows(hunks, file);
  if (hunks.length === 0) return <p className="px-3 py-2 text-fg-3">{words.binaryOrEmpty}</p>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <section
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className="overflow-auto bg-sunken -outline-offset-2"
      style={{ maxHeight }}
    >
      <table
        className={cx(
          'w-full border-collapse font-mono text-code select-text',
          split ? 'table-fixed' : 'min-w-fit',
        )}
      >
        {split && (
          <colgroup>
            <col className="w-9" />
            <col />
            <col className="w-9" />
            <col />
          </colgroup>
        )}
        {hunks.map((hunk, index) => (
          <tbody key={`${hunk.oldStart}-${hunk.newStart}`}>
            {numbers && <Gap lines={gapBetween(hunks[index - 1] ?? above, hunk)} first={index === 0} />}
            {split
              ? pairs(rows[index] ?? []).map(({ left, right }) => (
                  <tr key={`${left?.oldLine ?? ''}-${right?.newLine ?? ''}`}>
                    <Side row={left} line={left?.oldLine} />
                    <Side row={right} line={right?.newLine} />
                  </tr>
                ))
              : (rows[index] ?? []).map((row) => (
                  <tr
                    key={`${row.kind}-${row.oldLine ?? ''}-${row.newLine ?? ''}`}
                    className={surface[row.kind]}
                  >
                    {numbers && <LineNumber value={row.oldLine} />}
                    {numbers && <LineNumber value={row.newLine} />}
                    <td className="w-4 text-center align-top text-fg-3 select-none">
                      <span aria-hidden>{marks[row.kind]}</span>
                      <Spoken kind={row.kind} />
                    </td>
                    <td className="pr-3 wrap-anywhere whitespace-pre-wrap">
                      <Runs row={row} />
                    </td>
                  </tr>
                ))}
          </tbody>
        ))}
      </table>
    </section>
  );
};

/** The line above the first hunk belongs to what the diff stands in. */
const Gap = ({ lines, first }: { lines: number; first: boolean }) => {
  const words = useWords();
  if (lines === 0) return null;
  return (
    <tr>
      <td
        colSpan={4}
        className={cx(
          'border-line bg-bg px-3 text-small text-fg-3 select-none',
          first ? 'border-b' : 'border-y',
        )}
      >
        {counted(words.unchangedLines, lines)}
      </td>
    </tr>
  );
};

const Side = ({ row, line }: { row: Drawn | undefined; line: number | undefined }) => (
  <>
    <LineNumber value={line} />
    <td
      className={cx(
        'pr-2 align-top wrap-anywhere whitespace-pre-wrap',
        row === undefined ? 'bg-bg' : surface[row.kind],
      )}
    >
      {row && (
        <>
          <Spoken kind={row.kind} />
          <Runs row={row} />
        </>
      )}
    </td>
  </>
);

const Spoken = ({ kind }: { kind: DiffRow['kind'] }) => {
  const words = useWords();
  if (kind === 'added') return <span className="sr-only">{words.diffAdded}</span>;
  return kind === 'removed' ? <span className="sr-only">{words.diffRemoved}</span> : null;
};

const Runs = ({ row }: { row: Drawn }) =>
  row.runs.map((run, place) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: a run is its place
      key={place}
      className={cx(
        run.changed && 'rounded-mark forced-colors:underline forced-colors:decoration-2',
        run.changed && (row.kind === 'added' ? 'bg-add-strong' : 'bg-del-strong'),
      )}
      style={run.color === undefined ? undefined : { color: run.color }}
    >
      <ExactText text={run.text} />
    </span>
  ));

const LineNumber = ({ value }: { value: number | undefined }) => (
  <td className="w-9 min-w-9 px-1.5 text-right align-top text-fg-3 tabular-nums select-none">{value}</td>
);

/** Lines of the old file between two hunks, or between its start and a hunk. */
function gapBetween(before: Hunk | undefined, hunk: Hunk): number {
  const end = before
    ? before.oldStart + before.lines.filter((l) => l.startsWith(' ') || l.startsWith('-')).length
    : 1;
  return Math.max(0, hunk.oldStart - end);
}
