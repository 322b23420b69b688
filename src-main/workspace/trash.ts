import { lstat, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { moveNew } from '../base/move-new';

/** An item's location in the trash, and where it was. */
export interface Trashed {
  /** Absolute. */
  from: string;
  file: string;
  info: string;
}

/** Names tried for one item before giving up. */
const MAX_NAMES = 1_000;
/** Bytes: the 255 that systems allow without a number and `.trashinfo`. */
const MAX_NAME = 240;

/**
 * Moves a file or folder (absolute) to the trash of Linux desktops (freedesktop.org, Trash 1.0): the trash of the home
 * folder, or of the disk that the file is on. Nothing is copied. Throws the system's error.
 */
export async function toTrash(path: string, env: NodeJS.ProcessEnv = process.env): Promise<Trashed> {
  const home = join(env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local/share'), 'Trash');
  try {
    return await put(path, home, path);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EXDEV')) throw thrown;
    const top = await topOf(path);
    return put(path, join(top, `.Trash-${process.getuid?.() ?? 0}`), relative(top, path));
  }
}

/**
 * Restores an item to its original place, `to`, whose folder exists. False if that name is taken or the item is no longer in
 * the trash.
 */
export async function fromTrash({ file, info }: Trashed, to: string | Buffer): Promise<boolean> {
  try {
    await moveNew(file, to, file);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') return false;
    if (code === 'ENOENT' && !(await isThere(file))) return false;
    throw thrown;
  }
  // It is back, whatever became of the note.
  await rm(info, { force: true });
  return true;
}

const isThere = (path: string | Buffer) =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function put(path: string, trash: string, written: string): Promise<Trashed> {
  await mkdir(join(trash, 'files'), { recursive: true, mode: 0o700 });
  await mkdir(join(trash, 'info'), { recursive: true, mode: 0o700 });
  const { info, name } = await claim(trash, shortened(basename(path)), written);
  const file = join(trash, 'files', name);
  try {
    await rename(path, file);
  } catch (thrown) {
    await unlink(info);
    throw thrown;
  }
  return { from: path, file, info };
}

/** A name that leaves space for what the trash appends to it. */
function shortened(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > MAX_NAME) short = [...short].slice(0, -1).join('');
  return short;
}

/** Writes the info file with the original path first, which reserves the name. */
async function claim(trash: string, base: string, written: string): Promise<{ info: string; name: string }> {
  const date = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  const address = written.split('/').map(encodeURIComponent).join('/');
  const text = `[Trash Info]\nPath=${address}\nDeletionDate=${date}\n`;
  for (let n = 1; n <= MAX_NAMES; n += 1) {
    const name = n === 1 ? base : `${base}.${n}`;
    const info = join(trash, 'info', `${name}.trashinfo`);
    try {
      const handle = await open(info, 'wx', 0o600);
      await handle.writeFile(text).finally(() => handle.close());
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') continue;
      // On a full disk, an empty note is there.
      await rm(info, { force: true });
      throw thrown;
    }
    // Something without a note may be there, which a rename would replace.
    if (!(await isThere(join(trash, 'files', name)))) return { info, name };
    await unlink(info);
  }
  throw new Error(`The trash has ${MAX_NAMES} things named ${base}.`);
}

/** The outermost folder on the same disk. */
async function topOf(path: string): Promise<string> {
  const { dev } = await lstat(path);
  let top = dirname(path);
  while (dirname(top) !== top && (await lstat(dirname(top))).dev === dev) top = dirname(top);
  return top;
}
