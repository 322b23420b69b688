import { RootGuard } from '../../../backends/disk/guard';
import { removeTree } from '../../../backends/disk/held-files';
import { isFailure } from '../../../backends/failure';
import type { Conflict, KeepJournal, KeepResult } from '../layer/shapes';
import { applyAll } from './apply';
import { hasItsFolder, type KeepRecord, removeRecord } from './journal';

interface Finishing {
  /** Conflicts that were found before. */
  before?: readonly Conflict[];
  applied?: KeepJournal['applied'];
}

/** The last step, repeated after a restart. */
export async function finish(
  record: KeepRecord,
  place: string,
  { before = [], applied }: Finishing = {},
): Promise<KeepResult> {
  const results = await applyAll(record, place);
  await removeStaging(record);
  const kept = [...results].filter(([, applied]) => applied === 'done').map(([path]) => path);
  const late = [...results].flatMap(([path, applied]): Conflict[] =>
    applied === 'done' ? [] : [{ path, reason: applied === 'refused' ? 'refused' : 'changed' }],
  );
  const result = { kept: kept.toSorted(), conflicts: [...before, ...late] };
  await applied?.(result);
  await removeRecord(place);
  return result;
}

/** Removes staged files that were not put into the folder. */
export async function removeStaging(record: KeepRecord): Promise<void> {
  if (!(await hasItsFolder(record))) return;
  const { folder, staging } = record;
  const parent = await new RootGuard(folder, true).holdParent(
    { path: `/${staging}`, segments: [staging] },
    false,
  );
  if (isFailure(parent)) return;
  try {
    await removeTree(parent, staging, undefined);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
  } finally {
    await parent.close();
  }
}
