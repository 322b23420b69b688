import { useCallback, useState } from 'react';

/** More owners than a person leaves half done; the oldest is forgotten first. */
const MAX_OWNERS = 100;

/** What was entered or chosen, by owner and then by field. It lasts until the window closes. */
const kept = new Map<string, Map<string, unknown>>();

/** Forgets all fields of an owner. */
export const forgetKept = (owner: string): void => void kept.delete(owner);

function keep(owner: string, field: string, value: unknown): void {
  const fields = kept.get(owner) ?? new Map<string, unknown>();
  // The owner that was changed last becomes the newest.
  kept.delete(owner);
  kept.set(owner, fields.set(field, value));
  const [oldest] = kept.keys();
  if (kept.size > MAX_OWNERS && oldest !== undefined) kept.delete(oldest);
}

/**
 * Like `useState`, for one field of an owner, such as a card or a private copy. The value stays while something else is shown in
 * its place. A component that can change its owner needs the owner as its key.
 */
export function useKept<T>(
  owner: string,
  field: string,
  initial: () => T,
): [T, (next: (before: T) => T) => void] {
  const read = (): T => {
    const fields = kept.get(owner);
    return fields?.has(field) === true ? (fields.get(field) as T) : initial();
  };
  const [value, setValue] = useState(read);
  const change = useCallback(
    (next: (before: T) => T) =>
      setValue((before) => {
        const after = next(before);
        keep(owner, field, after);
        return after;
      }),
    [owner, field],
  );
  return [value, change];
}
