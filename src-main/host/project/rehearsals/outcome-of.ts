import { isUtf8 } from 'node:buffer';
import { isInGenerated } from '../../../base/generated';
import { isBuildFile, isPackageCode } from '../../../base/protected-paths';
import { boundedDiff } from '../../../contract/bounded-diff';
import { MAX_UNDO_FILE } from '../../../contract/limits';
import type { Outcome, OutcomeRow } from '../../../contract/outcome';
import { optional } from '../../../contract/shared/optional';
import { inPathOrder } from '../../../contract/shared/path-order';
import type { Change, Group, RehearsalRun } from '../../../harness/sandbox/rehearsal';
import type { RehearsalEngine } from './rehearsal-engine';

/** Maximum number of listed rows. */
const MAX_ROWS = 500;
/** Maximum bytes of both sides of a file whose lines are counted, and the number of such files. */
const MAX_COUNTED = 256 * 1024;
const MAX_COUNTED_FILES = 60;
/** UTF-16 units of the output that are shown. */
const MAX_OUTPUT_LENGTH = 4_000;
/** Bytes inspected to tell text from binary content. */
const SNIFFED = 8_000;

type Sides = Awaited<ReturnType<RehearsalEngine['readChange']>>;

/** What the person sees of a command that ran in a layer. `read`: both sides of a file. */
export async function outcomeOf(
  run: RehearsalRun,
  ran: { exitCode: number | null; output: string },
  all: readonly (Change | Group)[],
  read: (path: string) => Promise<Sides>,
): Promise<Outcome> {
  const { manifest, limit, refused, durationMs } = run;
  const listed = all.filter(isListed);
  const { rows, added, removed } = await counted(mostImportant(listed), read);
  const files = manifest.changes.filter(({ git, before, after }) => {
    return git === undefined && (after ?? before)?.type !== 'folder';
  });
  const beyondUndo = manifest.changes.filter(isBeyondUndo).length;
  const buildFiles = manifest.changes.filter(
    (change) => isOwnBuildFile(change) || writesPackageCode(change),
  ).length;
  const conflicting = new Set(manifest.changes.flatMap(({ git, conflict }) => (conflict ? (git ?? []) : [])));
  return {
    manifest: manifest.hash,
    layer: manifest.layer,
    exitCode: ran.exitCode,
    ...optional({ limit }),
    output: ran.output.slice(-MAX_OUTPUT_LENGTH),
    durationMs: Math.round(durationMs),
    rows,
    ...(listed.length > rows.length ? { more: listed.length - rows.length } : {}),
    refused: [...refused],
    ...(beyondUndo === 0 ? {} : { beyondUndo }),
    ...(buildFiles === 0 ? {} : { buildFiles }),
    ...(manifest.git.length === 0
      ? {}
      : {
          git: manifest.git.map(({ path, facts }) => ({
            path,
            facts: [...facts],
            ...(conflicting.has(path) ? { conflict: true } : {}),
          })),
        }),
    totals: {
      files: files.length,
      added,
      removed,
      bytes: files.reduce((sum, { after }) => sum + (after?.size ?? 0), 0),
    },
  };
}

/** A pack of a repository: its history, or a part of it. */
const PACK = /\/objects\/pack\/[^/]+\.pack$/;

/** Whether a file's previous content is lost once the change is kept. Build output can be made again. */
function isBeyondUndo({ path, kind, before, git, ignored }: Change): boolean {
  if (before?.type !== 'file' || kind === 'mode' || before.size <= MAX_UNDO_FILE) return false;
  if (git !== undefined) return PACK.test(path);
  return !(ignored === true && isInGenerated(path));
}

/** Whether it writes a build file of the project, and not of a package or of its output. */
const isOwnBuildFile = ({ path, git, ignored, tracked, after }: Change): boolean =>
  git === undefined &&
  after !== undefined &&
  ignored !== true &&
  (tracked === true || !isInGenerated(path)) &&
  isBuildFile(path);

/** Whether it writes code that the project's programs load from a package, even if git ignores it. */
const writesPackageCode = ({ path, git, after }: Change): boolean =>
  git === undefined && after !== undefined && after.type !== 'folder' && isPackageCode(path);

/** Changes in a `.git` are shown by their meaning. */
const isListed = (row: Change | Group) => row.kind === 'group' || row.git === undefined;

/** What a person must not miss is listed first if not everything can be. */
function mostImportant(all: readonly (Change | Group)[]): (Change | Group)[] {
  const isGrave = (row: Change | Group) => [row.protected, row.leadsOutside, row.conflict].some(Boolean);
  return inPathOrder(all.toSorted((a, b) => Number(isGrave(b)) - Number(isGrave(a))).slice(0, MAX_ROWS));
}

/** Counts the lines of as many files as can be read quickly. */
async function counted(all: readonly (Change | Group)[], read: (path: string) => Promise<Sides>) {
  const rows: OutcomeRow[] = [];
  let [added, removed, files] = [0, 0, 0];
  for (const one of all) {
    const row = rowOf(one);
    rows.push(row);
    if (row.kind === 'group' || !hasLines(row) || files >= MAX_COUNTED_FILES) continue;
    files += 1;
    const sides = textSides(await read(row.path));
    if (sides === null) {
      row.binary = true;
      continue;
    }
    const diff = boundedDiff(sides.before, sides.after, 0);
    added += diff.added;
    removed += diff.removed;
    Object.assign(row, { added: diff.added, removed: diff.removed });
  }
  return { rows, added, removed };
}

type FileRow = Exclude<OutcomeRow, { kind: 'group' }>;

function hasLines({ kind, before, after }: FileRow): boolean {
  const isFile = before?.type === 'file' || after?.type === 'file';
  return isFile && kind !== 'mode' && (before?.size ?? 0) + (after?.size ?? 0) <= MAX_COUNTED;
}

export function rowOf(row: Change | Group): OutcomeRow {
  const flags = {
    ...optional({ ignored: row.ignored, protected: row.protected, leadsOutside: row.leadsOutside }),
    ...(row.conflict === undefined ? {} : { conflict: true }),
  };
  if (row.kind === 'group') {
    const { kind, path, count, bytes } = row;
    return { kind, path, count, bytes, ...flags };
  }
  const { kind, path } = row;
  return { kind, path, ...optional({ before: entryOf(row.before), after: entryOf(row.after) }), ...flags };
}

function entryOf(entry: Change['before']): FileRow['before'] {
  if (entry === undefined) return undefined;
  const { type, size, mode, target, names } = entry;
  return { type, size, mode, ...optional({ target, names }) };
}

/** Both sides of a file as text; null if one is not text. */
export function textSides({
  before = new Uint8Array(),
  after = new Uint8Array(),
}: Sides): { before: string; after: string } | null {
  const isText = (bytes: Uint8Array) => isUtf8(bytes) && !bytes.subarray(0, SNIFFED).includes(0);
  if (!isText(before) || !isText(after)) return null;
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
  return { before: text(before), after: text(after) };
}
