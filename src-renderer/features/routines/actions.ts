import type { RoutineId } from '@contract/ids';
import { call, openThread, toast } from '../../link';

/** Starts a run and shows it. Resolves to whether it has started. */
export async function runNow(id: RoutineId, record: boolean): Promise<boolean> {
  const result = await call('routines.run', { id, record });
  if (!result.ok) toast(result.error.message);
  else openThread(result.value.threadId);
  return result.ok;
}

export async function dismissMissed(id: RoutineId): Promise<void> {
  const result = await call('routines.dismiss', { id });
  if (!result.ok) toast(result.error.message);
}
