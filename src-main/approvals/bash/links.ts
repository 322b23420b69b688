import { stat } from 'node:fs/promises';
import { isBelow } from '../../base/is-below';
import { isSecretPath } from '../../base/secret-paths';
import { isOwnData, type ShellPlaces } from './places';
import { realPathOf } from './real-path';

/**
 * Why a line that only reads these paths is asked about all the same: a link leads out of the folder, a path is no
 * file, or Deepdesk's own data lies below it. Null where each stays inside. A path that is not there is where its
 * nearest folder is.
 */
export async function leadsElsewhere(
  reads: readonly string[],
  files: readonly string[],
  places: ShellPlaces,
): Promise<string | null> {
  const folder = (await realPathOf(places.folder)) ?? places.folder;
  for (const path of reads) {
    const real = await realPathOf(path);
    if (real === null) return `where ${path} leads could not be found out`;
    if (!isBelow(real, folder)) return `${path} is a link to ${real}, outside your folder`;
    if (isSecretPath(real, places.home)) return `${path} is a link to ${real}, which may hold secrets`;
    if (isOwnData(real, places) || isBelow(places.dataDir, real))
      return `Deepdesk’s own data lies below ${path}`;
    const found = await stat(real).catch(() => null);
    if (found === null) continue;
    if (!found.isFile() && !found.isDirectory()) return `${path} is no ordinary file`;
    if (found.isDirectory() && files.includes(path))
      return `${path} is a folder, whose links it would follow`;
  }
  return null;
}
