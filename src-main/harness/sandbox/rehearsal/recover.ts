import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finish, removeStaging } from './finish';
import { readRecord, removeRecord } from './journal';
import type { RecoveredKeep } from './shapes';

/** At the start, before anything else: finishes what was being kept, or takes back what was only prepared. */
export async function recoverKeeps(layersFolder: string): Promise<RecoveredKeep[]> {
  const recovered: RecoveredKeep[] = [];
  for (const layer of await readdir(layersFolder).catch(() => [])) {
    const place = join(layersFolder, layer);
    const record = await readRecord(place);
    if (record === null) continue;
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
