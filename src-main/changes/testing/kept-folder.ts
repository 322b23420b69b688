import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Engine } from '../engine';
import type { EngineOptions, PathChange } from '../protocol';

export const WAIT = 60_000;

export function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-changes-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with files, and an engine that has read them. */
export async function kept(
  files: Record<string, string | Buffer>,
  budget = 1e9,
  more: Partial<EngineOptions> = {},
) {
  const [root, store] = [temporary(), temporary()];
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const engine = new Engine({ store, budget, persist: true, ...more });
  onTestFinished(() => engine.close());
  await engine.scan(root, { waitMs: WAIT });
  const look = async () => (await engine.scan(root, { waitMs: WAIT })).changes;
  const run = (command: string) => execFileSync('sh', ['-c', command], { cwd: root });
  /** Undoes the changes that a scan found. */
  const undo = (changes: PathChange[], id = 'r') =>
    engine.apply(
      root,
      id,
      changes.map(({ path, before, after }) => ({ path, before: after, after: before })),
    );
  return { root, store, engine, write, look, run, undo, tree: () => treeOf(root) };
}

/** Lets contents like this one not be kept, as on a full disk, until the returned function is called. */
export function withoutPlaceFor(text: string, store: string): () => void {
  const place = join(store, 'contents', createHash('sha256').update(text).digest('hex').slice(0, 2));
  rmSync(place, { recursive: true, force: true });
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, '');
  return () => rmSync(place);
}

/** Does the work without the rights of root, which may read and write everywhere. */
export async function asUser<T>(
  { root, store }: { root: string; store: string },
  work: () => Promise<T>,
): Promise<T> {
  const [user, nobody] = [process.geteuid?.() ?? 1, 65_534];
  if (user !== 0) return work();
  for (const at of [root, store, tmpdir(), dirname(tmpdir())]) execFileSync('chmod', ['o+x', at]);
  execFileSync('chown', ['-R', String(nobody), root, store]);
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(user);
  }
}

/** Every path with its content, link target or nothing, and its mode. */
export function treeOf(root: string, path = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(root, path)).sort()) {
    const inner = path === '' ? name : `${path}/${name}`;
    const stat = lstatSync(join(root, inner));
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) tree[inner] = `-> ${readlinkSync(join(root, inner))}`;
    else if (stat.isDirectory()) Object.assign(tree, { [inner]: mode }, treeOf(root, inner));
    else tree[inner] = `${mode} ${readFileSync(join(root, inner)).toString('latin1')}`;
  }
  return tree;
}

export const kinds = (changes: PathChange[]) =>
  Object.fromEntries(changes.map(({ path, before, after }) => [path, `${before.type} ${after.type}`]));
