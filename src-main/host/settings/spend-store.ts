import type { Storage } from '../../storage';
import { WORK_WAITS } from '../../storage/write-lock';

/** Saves costs when no other program is writing to the database, so that an answer that was paid for is not lost over it. */
export function spendStore({
  storage: { spending, lock },
  report,
}: {
  storage: Pick<Storage, 'spending' | 'lock'>;
  report: (where: string, error: unknown) => void;
}) {
  const add = (entry: Parameters<typeof spending.add>[0]): void => {
    // The offline assistant is not a model. Its requests would fill the usage of anyone who tries Deepdesk.
    if (entry.model.startsWith('offline:')) return;
    const free = lock.wait(WORK_WAITS);
    if (free === undefined) spending.add(entry);
    else free.then(() => spending.add(entry)).catch((error: unknown) => report('spending', error));
  };
  return { ...spending, add };
}
