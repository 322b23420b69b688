import { useCallback, useState } from 'react';

/** Whether something is being done, and what says so while its promise is not settled. */
export function useBusy(): [busy: boolean, during: <T>(work: Promise<T>) => Promise<T>] {
  const [busy, setBusy] = useState(false);
  const during = useCallback(async <T>(work: Promise<T>): Promise<T> => {
    setBusy(true);
    try {
      return await work;
    } finally {
      setBusy(false);
    }
  }, []);
  return [busy, during];
}
