import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { readRegular } from '../base/open-regular';
import { isRefused } from '../base/regular-file';
import { isSecretPath } from '../base/secret-paths';
import type { ShownFile } from '../contract/control';
import type { ShellPlaces } from './bash/paths/places';
import { MAX_SCRIPT_BYTES } from './bash/scripts/script-file';
import { commandsOf, filesBehind } from './bash/scripts/scripts-behind';
import type { ShellPart } from './bash/verdict/shell-part';

/** UTF-16 units kept of one file, and of all files together, to show later changes. */
const MAX_KEPT_PER_FILE = 8_000;
const MAX_KEPT_IN_ALL = 100_000;

/** The current contents of the files besides programs that a line runs. */
export async function readBehind(
  parts: readonly ShellPart[],
  places: ShellPlaces | null,
): Promise<ShownFile[]> {
  if (places === null || parts.length === 0) return [];
  const files = await filesBehind(parts, places);
  const read = await Promise.all(files.map(({ path }) => readShown(path)));
  let kept = 0;
  return read.map((file) => {
    kept += file.text.length;
    return kept <= MAX_KEPT_IN_ALL ? file : { ...file, text: '', cut: true };
  });
}

/** Paths and versions of the files besides programs that a command runs, which may be any shell text. */
export async function versionsBehind(
  command: string,
  places: ShellPlaces,
): Promise<{ path: string; version: string }[]> {
  const files = await filesBehind(commandsOf(command, places.cwd, places.home), places);
  return Promise.all(
    files.map(async ({ path }) => ({ path, version: (await versionOfFile(path)) ?? 'missing' })),
  );
}

/** A version of the content of a regular file, with links followed; null if there is none. */
export async function versionOfFile(path: string): Promise<string | null> {
  const read = await readVersion(path);
  if (read !== null) return read.version;
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? versionOf(path) : null;
}

async function readShown(path: string): Promise<ShownFile> {
  const read = await readVersion(path);
  if (read === null) return { path, text: '', cut: true, version: await versionOf(path) };
  const { text, version } = read;
  // Package manager settings hold tokens, and a binary program has nothing to show.
  if (isSecretPath(path) || text.includes('\0')) return { path, text: '', cut: true, version };
  return text.length <= MAX_KEPT_PER_FILE
    ? { path, text, version }
    : { path, text: text.slice(0, MAX_KEPT_PER_FILE), cut: true, version };
}

/** The version is of the bytes: different ones may be the same text. */
async function readVersion(path: string): Promise<{ text: string; version: string } | null> {
  const bytes = await readRegular(path, { root: null, maxBytes: MAX_SCRIPT_BYTES });
  if (isRefused(bytes)) return null;
  return {
    text: new TextDecoder().decode(bytes),
    version: createHash('sha256').update(bytes).digest('hex'),
  };
}

/** For a file that is too large to read every time. */
const versionOf = (path: string): Promise<string> =>
  stat(path).then(
    ({ dev, ino, size, mtimeMs, ctimeMs }) => `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`,
    () => 'missing',
  );
