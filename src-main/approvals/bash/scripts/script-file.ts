import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { readRegularText } from '../../../base/open-regular';
import { isRefused } from '../../../base/regular-file';

/** Maximum bytes of a file that is read. */
export const MAX_SCRIPT_BYTES = 1024 * 1024;

/** The beginning of a regular file, with links followed, since that is the code that runs. Null if there is none. */
export async function readText(path: string): Promise<string | null> {
  const read = await readRegularText(path, { root: null, maxBytes: MAX_SCRIPT_BYTES, cut: true });
  return isRefused(read) ? null : read.text;
}

export const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isFile() === true;

export const from = (directory: string, path: string): string =>
  isAbsolute(path) ? path : `${directory === '/' ? '' : directory}/${path.replace(/^(\.\/+)+/, '')}`;
