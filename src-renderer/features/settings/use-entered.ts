import { useState } from 'react';

/**
 * What the person has entered since `known` was last applied; `known` itself until then, and again once it changes, by an undo
 * too. Without an effect that copies it: effects may run after the next key, and would overwrite it. `known` must keep its
 * identity as long as it does not change.
 */
export function useEntered<T>(known: T): [T, (value: T) => void] {
  const [entered, setEntered] = useState({ since: known, value: known });
  const isOld = !Object.is(entered.since, known);
  // While rendering, as React advises for state that follows from a change of something else.
  if (isOld) setEntered({ since: known, value: known });
  return [isOld ? known : entered.value, (next) => setEntered({ since: known, value: next })];
}
