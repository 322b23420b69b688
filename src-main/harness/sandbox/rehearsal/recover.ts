import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finish, removeStaging } from './finish';
import { hasItsFolder, readRecord, removeRecord } from './journal';
import type { RecoveredKeep } from './shapes';

/** Call first at startup: finishes interrupted keeps, or rolls back those that were only prepared. */
export async function recoverKeeps(layersFolder: string): Promise<RecoveredKeep[]> {
  const recovered: RecoveredKeep[] = [];
  for (const layer of await readdir(layersFolder).catch(() => [])) {
    const place = join(layersFolder, layer);
    const record = await readRecord(place);
    if (record === null) continue;
    // Its disk is not there, or is not mounted yet: a later start, or the next decision, completes it.
    if (!(await hasItsFolder(record))) continue;
    const { folder } = record;
    if (record.phase === 'applying') {
      recovered.push({ layer, folder, outcome: 'finished', ...(await finish(record, place)) });
      continue;
    }
    await removeStaging(record);
    await removeRecord(place);
    recovered.push({ layer, folder, outcome: 'rolled_back', kept: [], conflicts: [] });
  }
  return recovered;
}
