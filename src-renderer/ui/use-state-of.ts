import { useState } from 'react';

/** State of a component that shows one thing after another: for another owner it is `initial` again. */
export function useStateOf<T>(owner: string, initial: T): [T, (value: T) => void] {
  const [kept, setKept] = useState({ owner, value: initial });
  return [kept.owner === owner ? kept.value : initial, (value) => setKept({ owner, value })];
}
