import { stat } from 'node:fs/promises';
import { isBelow } from '../../../base/is-below';
import { isSecretPath } from '../../../base/secret-paths';
import { because, type Reason } from '../../../contract/shared/reasons';
import { isOwnData, type ShellPlaces } from '../paths/places';
import { realPathOf } from '../paths/real-path';

/**
 * Why a line that only reads these paths still needs approval: a link leads out of the folder, a path is not a file, or
 * Deepdesk's own data is below it. Null if every path stays inside. A missing path counts as its nearest existing folder.
 */
export async function leadsElsewhere(
  reads: readonly string[],
  files: readonly string[],
  places: ShellPlaces,
): Promise<Reason | null> {
  const folder = (await realPathOf(places.folder)) ?? places.folder;
  for (const path of reads) {
    const real = await realPathOf(path);
    if (real === null) return because('leads_unknown', { path });
    if (!isBelow(real, folder)) return because('link_outside', { path, to: real });
    if (isSecretPath(real, places.home)) return because('link_to_secrets', { path, to: real });
    if (isOwnData(real, places) || isBelow(places.dataDir, real)) return because('own_data_below', { path });
    const found = await stat(real).catch(() => null);
    if (found === null) continue;
    if (!found.isFile() && !found.isDirectory()) return because('not_ordinary', { path });
    if (found.isDirectory() && files.includes(path)) return because('folder_with_links', { path });
  }
  return null;
}
