import { diffWordsWithSpace } from 'diff';
import { cx } from './cx';
import { ExactText } from './exact-text';
import { useWords } from './words';

export interface Hunk {
  /** 1-based, as in a unified diff. */
  oldStart: number;
  newStart: number;
  /** Each line with its mark: ' ', '+', '-' or '\\'. */
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

/** The rows of a hunk with their line numbers; in a removed line and the added one that takes its place, what differs is marked. */
export function diffRows(hunk: Hunk): DiffRow[] {
  const rows: DiffRow[] = [];
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  let removed: DiffRow[] = [];
  let added: DiffRow[] = [];
  const close = () => {
    markChanges(removed, added);
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

function markChanges(removed: DiffRow[], added: DiffRow[]): void {
  if (removed.length !== added.length) return;
  for (const [index, before] of removed.entries()) {
    const after = added[index];
    const [a, b] = [before.parts[0]?.text ?? '', after?.parts[0]?.text ?? ''];
    if (!after || a.length > MAX_WORD_DIFF || b.length > MAX_WORD_DIFF) continue;
    const changes = diffWordsWithSpace(a, b);
    // Two lines with nothing in common are two lines, not a change within one.
    if (!changes.some((part) => !part.added && !part.removed && part.value.trim() !== '')) continue;
    const side = (leave: 'added' | 'removed') =>
      changes
        .filter((part) => !part[leave])
        .map((part) => ({ text: part.value, changed: part.added || part.removed }));
    before.parts = side('added');
    after.parts = side('removed');
  }
}

interface DiffProps {
  hunks: readonly Hunk[];
  maxHeight?: number;
  /** For screen readers: what changed. */
  label: string;
  /** False where line numbers mean nothing: a passage, not a file. */
  numbers?: boolean;
}

const surface = { same: '', added: 'bg-add', removed: 'bg-del', note: 'text-fg-3 italic' };
const marks = { same: ' ', added: '+', removed: '−', note: ' ' };

/** Hunks as one inline view with both line numbers. Characters that cannot be seen are shown as escapes. */
export const Diff = ({ hunks, maxHeight, label, numbers = true }: DiffProps) => {
  const words = useWords();
  if (hunks.length === 0) return <p className="px-3 py-2 text-fg-3">{words.binaryOrEmpty}</p>;
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className="overflow-auto bg-sunken -outline-offset-2"
      style={{ maxHeight }}
    >
      <table className="w-full min-w-fit border-collapse font-mono text-[0.78125rem] leading-5 select-text">
        {hunks.map((hunk, index) => (
          <tbody key={`${hunk.oldStart}-${hunk.newStart}`}>
            {numbers && gapBefore(hunks, index) > 0 && (
              <tr>
                <td colSpan={4} className="border-y border-line bg-bg px-3 text-small text-fg-3 select-none">
                  {words.unchangedLines.replace('{count}', String(gapBefore(hunks, index)))}
                </td>
              </tr>
            )}
            {diffRows(hunk).map((row) => (
              <tr key={`${row.kind}-${row.oldLine ?? ''}-${row.newLine ?? ''}`} className={surface[row.kind]}>
                {numbers && <LineNumber value={row.oldLine} />}
                {numbers && <LineNumber value={row.newLine} />}
                <td className="w-4 text-center align-top text-fg-3 select-none">
                  <span aria-hidden>{marks[row.kind]}</span>
                  {row.kind === 'added' && <span className="sr-only">{words.diffAdded}</span>}
                  {row.kind === 'removed' && <span className="sr-only">{words.diffRemoved}</span>}
                </td>
                <td className="pr-3 break-all whitespace-pre-wrap">
                  {row.parts.map((part, place) => (
                    <span
                      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
                      key={place}
                      className={cx(
                        part.changed && 'rounded-[2px]',
                        part.changed && (row.kind === 'added' ? 'bg-add-strong' : 'bg-del-strong'),
                      )}
                    >
                      <ExactText text={part.text} />
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
};

const LineNumber = ({ value }: { value: number | undefined }) => (
  <td className="w-9 min-w-9 px-1.5 text-right align-top text-fg-3 tabular-nums select-none">{value}</td>
);

/** Lines of the old file between this hunk and the one before (or the beginning). */
function gapBefore(hunks: readonly Hunk[], index: number): number {
  const hunk = hunks[index];
  const before = hunks[index - 1];
  if (!hunk) return 0;
  const end = before
    ? before.oldStart + before.lines.filter((l) => l.startsWith(' ') || l.startsWith('-')).length
    : 1;
  return Math.max(0, hunk.oldStart - end);
}
