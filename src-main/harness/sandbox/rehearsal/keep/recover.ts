import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeepResult, RecoveredKeep } from '../layer/shapes';
import { finish, removeStaging } from './finish';
import { hasItsFolder, readRecord, removeRecord } from './journal';

/**
 * Call first at startup: finishes interrupted keeps, or rolls back those that were only prepared. `applied`: records one that
 * is in the folder, before it is forgotten here.
 */
export async function recoverKeeps(
  layersFolder: string,
  applied?: (keep: RecoveredKeep) => Promise<void>,
): Promise<RecoveredKeep[]> {
  const recovered: RecoveredKeep[] = [];
  for (const layer of await readdir(layersFolder).catch(() => [])) {
    const place = join(layersFolder, layer);
    const record = await readRecord(place);
    if (record === null) continue;
    // Its disk is not there, or is not mounted yet: a later start, or the next decision, completes it.
    if (!(await hasItsFolder(record))) continue;
    const { folder } = record;
    if (record.phase === 'applying') {
      const finished = (result: KeepResult) => ({ layer, folder, outcome: 'finished' as const, ...result });
      const result = await finish(record, place, { applied: (now) => applied?.(finished(now)) });
      recovered.push(finished(result));
      continue;
    }
    await removeStaging(record);
    await removeRecord(place);
    recovered.push({ layer, folder, outcome: 'rolled_back', kept: [], conflicts: [] });
  }
  return recovered;
}
