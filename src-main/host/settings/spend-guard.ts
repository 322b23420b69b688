import { ThreadId } from '../../contract/ids';
import { SpendGuard } from '../../models/spend-guard';
import type { Storage } from '../../storage';
import { WORK_WAITS } from '../../storage/database/write-lock';

interface SpendParts {
  storage: Pick<Storage, 'spending' | 'lock' | 'settings' | 'routines'>;
  report: (where: string, error: unknown) => void;
}

/** Saves costs when no other program is writing to the database, so that an answer that was paid for is not lost over it. */
function spendStore({ storage: { spending, lock }, report }: SpendParts) {
  const add = (entry: Parameters<typeof spending.add>[0]): void => {
    // The offline assistant is not a model. Its requests would fill the usage of anyone who tries Deepdesk.
    if (entry.model.startsWith('offline:')) return;
    const free = lock.wait(WORK_WAITS);
    if (free === undefined) spending.add(entry);
    else free.then(() => spending.add(entry)).catch((error: unknown) => report('spending', error));
  };
  return { ...spending, add };
}

/** Applies the person's limits of spending, and those of routines. */
export const spendGuard = ({ storage, report }: SpendParts): SpendGuard =>
  new SpendGuard({
    store: spendStore({ storage, report }),
    ceilings: () => storage.settings.spending(),
    budgetOf: (threadId) => {
      const run = storage.routines.runOf(ThreadId.parse(threadId));
      return (run && storage.routines.get(run.routineId)?.routine.budget) ?? null;
    },
  });
