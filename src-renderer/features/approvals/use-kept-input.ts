import type { Approval } from '@contract/conversation';
import { useCallback, useState } from 'react';

/** More cards than a person leaves half filled in; the oldest input is forgotten first. */
const MAX_CARDS = 100;

/** What was entered into cards that are not decided, by card and then by field. It lasts until the window closes. */
const kept = new Map<string, Map<string, unknown>>();

/** A call that asks again with other arguments is another card. */
const cardOf = ({ threadId, id, digest }: Approval): string => `${threadId}/${id}/${digest}`;

/** Called after a decision. */
export const forgetInput = (approval: Approval): void => void kept.delete(cardOf(approval));

function keep(card: string, field: string, value: unknown): void {
  const fields = kept.get(card) ?? new Map<string, unknown>();
  // The card that was changed last becomes the newest.
  kept.delete(card);
  kept.set(card, fields.set(field, value));
  const [oldest] = kept.keys();
  if (kept.size > MAX_CARDS && oldest !== undefined) kept.delete(oldest);
}

/** Like `useState`, for one field of a card. The value stays while another card or another thread is shown. */
export function useKeptInput<T>(
  approval: Approval,
  field: string,
  initial: () => T,
): [T, (next: (before: T) => T) => void] {
  const card = cardOf(approval);
  const read = (): T => {
    const fields = kept.get(card);
    return fields?.has(field) === true ? (fields.get(field) as T) : initial();
  };
  const [value, setValue] = useState(read);
  const change = useCallback(
    (next: (before: T) => T) =>
      setValue((before) => {
        const after = next(before);
        keep(card, field, after);
        return after;
      }),
    [card, field],
  );
  return [value, change];
}
