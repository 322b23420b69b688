import { useState } from 'react';

/** State of a component that shows one thing after another: for another owner it is `initial` again. */
export function useStateOf<T>(owner: string, initial: T): [T, (value: T) => void] {
  const [kept, setKept] = useState({ owner, value: initial });
  const isOwn = kept.owner === owner;
  // Otherwise a menu that was open would open again with the return of its owner.
  if (!isOwn) setKept({ owner, value: initial });
  const set = (value: T) => setKept((now) => (now.owner === owner ? { owner, value } : now));
  return [isOwn ? kept.value : initial, set];
}
