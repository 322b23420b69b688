import { useCallback, useState } from 'react';

/** Whether work is in progress, and a function that marks it so until its promise settles. */
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
