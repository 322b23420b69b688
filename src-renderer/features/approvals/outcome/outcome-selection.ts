import type { Approval, Decision } from '@contract/approvals';
import type { Outcome, OutcomeRow } from '@contract/outcome';
import { useKeptInput } from '../use-kept-input';

/** Which parts of an outcome the person wants to keep. */
export interface OutcomeSelection {
  /** Whether a row, a group or a `.git` is kept. */
  has(path: string): boolean;
  toggle(path: string): void;
  hasHunk(path: string, hunk: number): boolean;
  /** `count`: the number of hunks in the file. */
  toggleHunk(path: string, hunk: number, count: number): void;
  /** Nothing is kept. */
  isEmpty: boolean;
  /** Number of listed files that are kept at least in part; a group counts its files, a `.git` none. */
  files: number;
  isAll: boolean;
  decision: Extract<Decision, { type: 'keep' }>;
}

/** The paths that can be kept, without those that have changed in the folder since. */
const keepable = ({ rows, git = [] }: Outcome): string[] =>
  [...rows, ...git].filter(({ conflict }) => conflict !== true).map(({ path }) => path);

/** As the host counts them: folders are there for their files. */
function filesIn(row: OutcomeRow): number {
  if (row.kind === 'group') return row.count;
  return (row.after ?? row.before)?.type === 'folder' ? 0 : 1;
}

/** Everything is selected at first. A file without a selected hunk is not. */
export function useOutcomeSelection(approval: Approval): OutcomeSelection | undefined {
  const { outcome } = approval;
  const [off, setOff] = useKeptInput<ReadonlySet<string>>(approval, 'left out', () => new Set());
  const [hunks, setHunks] = useKeptInput<Readonly<Record<string, readonly number[]>>>(
    approval,
    'hunks',
    () => ({}),
  );
  if (outcome === undefined) return undefined;
  const paths = keepable(outcome);
  const listed = outcome.rows.length + (outcome.git?.length ?? 0);
  const kept = paths.filter((path) => !off.has(path));
  // A `.git` in a group, or a file in a folder that is a row because of its mode.
  const except = paths.filter((path) => off.has(path) && kept.some((one) => path.startsWith(`${one}/`)));
  const inPart = Object.entries(hunks).filter(([path]) => kept.includes(path));
  const isAll = kept.length === listed && inPart.length === 0;
  const toggle = (path: string) => {
    setOff((before) =>
      before.has(path) ? new Set([...before].filter((one) => one !== path)) : new Set([...before, path]),
    );
    setHunks((before) => without(before, path));
  };
  const has = (path: string) => kept.includes(path);
  const hasHunk = (path: string, hunk: number) => has(path) && (hunks[path]?.includes(hunk) ?? true);
  return {
    has,
    toggle,
    hasHunk,
    toggleHunk: (path, hunk, count) => {
      const before = Array.from({ length: count }, (_, at) => at).filter((at) => hasHunk(path, at));
      const now = before.includes(hunk)
        ? before.filter((at) => at !== hunk)
        : [...before, hunk].sort((a, b) => a - b);
      if (now.length === 0) return toggle(path);
      setOff((off) => new Set([...off].filter((one) => one !== path)));
      setHunks((hunks) => (now.length === count ? without(hunks, path) : { ...hunks, [path]: now }));
    },
    isEmpty: kept.length === 0,
    files: outcome.rows.filter(({ path }) => has(path)).reduce((sum, row) => sum + filesIn(row), 0),
    isAll,
    decision: {
      type: 'keep',
      manifest: outcome.manifest,
      ...(isAll ? {} : { paths: kept }),
      ...(except.length === 0 ? {} : { except }),
      ...(inPart.length === 0
        ? {}
        : { hunks: Object.fromEntries(inPart.map(([path, chosen]) => [path, [...chosen]])) }),
    },
  };
}

const without = <V>(record: Readonly<Record<string, V>>, path: string): Record<string, V> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== path));
