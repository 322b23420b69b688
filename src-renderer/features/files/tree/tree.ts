import type { FileEntry } from '@contract/app';
import type { ErrorInWords } from '@contract/result';

/** A mount at the top of the tree. `path` is absolute, as the agent's tools name it. */
export interface Root {
  path: string;
  label: string;
  kind: 'project' | 'memories' | 'scratch' | 'place';
  /** Where its files are if the person can create, rename and delete them: on this computer or elsewhere. */
  changes?: 'here' | 'there';
  /** A place that cannot be used now. */
  isOffline?: boolean;
  /** Paths that have their own roots: they and the directories above them are not listed here. */
  without: readonly string[];
}

export type Listing =
  | { phase: 'loading' }
  | { phase: 'listed'; entries: readonly FileEntry[]; total: number; nextOffset: number | null }
  | { phase: 'failed'; error: ErrorInWords };

/** What is open in the tree and what is known about each directory. `/` is the scratch root. */
export interface Tree {
  expanded: ReadonlySet<string>;
  listings: ReadonlyMap<string, Listing>;
}

export type TreeAction =
  | { type: 'expanded'; path: string }
  | { type: 'collapsed'; path: string }
  /** Entries of the directory from `offset` on: earlier entries stay, later ones are replaced. */
  | {
      type: 'listed';
      path: string;
      offset: number;
      entries: readonly FileEntry[];
      total: number;
      nextOffset: number | null;
    }
  | { type: 'failed'; path: string; error: ErrorInWords }
  /** The listings of these closed directories are out of date. */
  | { type: 'forgotten'; paths: readonly string[] };

export const emptyTree = (expanded: Iterable<string>): Tree => ({
  expanded: new Set(expanded),
  listings: new Map(),
});

/** Pure. A visible listing stays until the next one has loaded, so a refresh does not flicker. */
export function reduceTree(tree: Tree, action: TreeAction): Tree {
  switch (action.type) {
    case 'expanded':
      return {
        expanded: new Set(tree.expanded).add(action.path),
        listings: tree.listings.has(action.path)
          ? tree.listings
          : new Map(tree.listings).set(action.path, { phase: 'loading' }),
      };
    case 'collapsed': {
      const expanded = new Set(tree.expanded);
      expanded.delete(action.path);
      return { ...tree, expanded };
    }
    case 'listed': {
      const known = tree.listings.get(action.path);
      const kept = known?.phase === 'listed' ? known.entries.slice(0, action.offset) : [];
      const { total, nextOffset } = action;
      const entries = [...kept, ...action.entries];
      return {
        ...tree,
        listings: new Map(tree.listings).set(action.path, { phase: 'listed', entries, total, nextOffset }),
      };
    }
    case 'failed':
      return {
        ...tree,
        listings: new Map(tree.listings).set(action.path, { phase: 'failed', error: action.error }),
      };
    case 'forgotten': {
      const listings = new Map(tree.listings);
      for (const path of action.paths) listings.delete(path);
      return { ...tree, listings };
    }
    default:
      return action satisfies never;
  }
}

/** One row of the tree. `level` is 1-based, as in aria-level. */
export type Row =
  | { kind: 'root'; key: string; path: string; level: 1; root: Root; expanded: boolean }
  | {
      kind: 'entry';
      key: string;
      path: string;
      level: number;
      entry: FileEntry;
      expanded: boolean;
      /** The 1-based position among its siblings, and their number, for screen readers. */
      position: number;
      siblings: number;
    }
  | { kind: 'loading'; key: string; path: string; level: number }
  | { kind: 'empty'; key: string; path: string; level: number; root: Root }
  | { kind: 'failed'; key: string; path: string; level: number; error: ErrorInWords }
  /** The field for the name of a new item. */
  | { kind: 'naming'; key: string; path: string; level: number; what: 'file' | 'directory' }
  | { kind: 'more'; key: string; path: string; level: number; offset: number; left: number };

/** The visible rows, top to bottom. Directories come before files; otherwise, the host's order stays. */
export function rowsOf(tree: Tree, roots: readonly Root[]): Row[] {
  const rows: Row[] = [];
  const below = (path: string, level: number, root: Root) => {
    const listing = tree.listings.get(path);
    if (listing === undefined || listing.phase === 'loading') {
      rows.push({ kind: 'loading', key: `${root.kind}:${path}:loading`, path, level });
      return;
    }
    if (listing.phase === 'failed') {
      rows.push({ kind: 'failed', key: `${root.kind}:${path}:failed`, path, level, error: listing.error });
      return;
    }
    const entries = listing.entries.filter(
      (entry) => !root.without.some((other) => isWithin(other, entry.path)),
    );
    const sorted = [...entries.filter(isDirectory), ...entries.filter((entry) => !isDirectory(entry))];
    const hidden = listing.entries.length - entries.length;
    for (const [index, entry] of sorted.entries()) {
      const expanded = isDirectory(entry) && tree.expanded.has(entry.path);
      rows.push({
        kind: 'entry',
        key: `${root.kind}:${entry.path}`,
        path: entry.path,
        level,
        entry,
        expanded,
        position: index + 1,
        siblings: listing.total - hidden,
      });
      if (expanded) below(entry.path, level + 1, root);
    }
    if (listing.nextOffset !== null) {
      const left = listing.total - listing.entries.length;
      rows.push({
        kind: 'more',
        key: `${root.kind}:${path}:more`,
        path,
        level,
        offset: listing.nextOffset,
        left,
      });
    } else if (sorted.length === 0) {
      rows.push({ kind: 'empty', key: `${root.kind}:${path}:empty`, path, level, root });
    }
  };
  for (const root of roots) {
    const expanded = tree.expanded.has(root.path);
    rows.push({ kind: 'root', key: `root:${root.path}`, path: root.path, level: 1, root, expanded });
    if (expanded) below(root.path, 2, root);
  }
  return rows;
}

/** The rows plus one below the folder at `path`, for the name of a new item. */
export function withNaming(
  rows: readonly Row[],
  naming: { path: string; what: 'file' | 'directory' } | null,
): Row[] {
  if (naming === null) return [...rows];
  const at = rows.findIndex(
    (row) =>
      row.path === naming.path && (row.kind === 'root' || (row.kind === 'entry' && isDirectory(row.entry))),
  );
  const folder = rows[at];
  if (folder === undefined) return [...rows];
  const { path, what } = naming;
  return rows.toSpliced(at + 1, 0, {
    kind: 'naming',
    key: `naming:${path}`,
    path,
    level: folder.level + 1,
    what,
  });
}

/**
 * What to do after a change on disk: which open directories to list again, even if their first list has not arrived yet, and
 * which closed ones to forget.
 */
export function staleListings(
  tree: Tree,
  isChanged: (directory: string) => boolean,
): { relist: string[]; forget: string[] } {
  return {
    relist: [...tree.expanded].filter(isChanged),
    forget: [...tree.listings.keys()].filter((path) => !tree.expanded.has(path) && isChanged(path)),
  };
}

const isDirectory = (entry: FileEntry): boolean => entry.kind === 'directory';

/** Whether the absolute `path` is `directory` or is below it, segment by segment. */
export function isWithin(path: string, directory: string): boolean {
  const inner = path.split('/').filter(Boolean);
  const outer = directory.split('/').filter(Boolean);
  return outer.every((segment, index) => inner[index] === segment);
}

/** The directory of an absolute path; `/` for a path at the top. */
export function parentOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut <= 0 ? '/' : path.slice(0, cut);
}
