import type { Approval } from '@contract/approvals';
import { useCallback } from 'react';
import { keepText, keptJson, keptKeys, keptText, threadKey } from '../../link';
import { forgetKept, useKept } from '../../ui';
import { noteUnsent } from './unsent-input';

/** A call that asks again with other arguments is another card. */
const cardOf = ({ threadId, id, digest }: Approval): string => `card ${threadId}/${id}/${digest}`;

const keyOf = ({ threadId, id, digest }: Approval): string => threadKey('card', threadId, `${id}/${digest}`);

/** Cards whose fields survive a restart. Cards that no longer wait leave theirs behind; the oldest is forgotten first. */
const MAX_CARDS = 30;

/** The fields of a card that the person has filled in. */
interface Written {
  /** Milliseconds since 1970 of the last change. */
  at: number;
  fields: Readonly<Record<string, unknown>>;
}

function readWritten(key: string): Written {
  const stored = keptJson(key);
  if (typeof stored === 'object' && stored !== null && 'at' in stored && 'fields' in stored) {
    const { at, fields } = stored;
    if (typeof at === 'number' && typeof fields === 'object' && fields !== null)
      return { at, fields: { ...fields } };
  }
  return { at: 0, fields: {} };
}

function writeField(key: string, field: string, value: unknown): void {
  if (keptText(key) === '') {
    const cards = keptKeys('card')
      .map((card) => ({ card, at: readWritten(card).at }))
      .sort((a, b) => b.at - a.at);
    for (const { card } of cards.slice(MAX_CARDS - 1)) keepText(card, '');
  }
  const { fields } = readWritten(key);
  keepText(key, JSON.stringify({ at: Date.now(), fields: { ...fields, [field]: value } } satisfies Written));
}

/** Called after a decision. */
export function forgetInput(approval: Approval): void {
  forgetKept(cardOf(approval));
  keepText(keyOf(approval), '');
}

type Check<T> = (value: unknown) => value is T;

export const isText: Check<string> = (value) => typeof value === 'string';

/** An object with values that `is` accepts. */
export const isRecordOf =
  <T>(is: Check<T>): Check<Readonly<Record<string, T>>> =>
  (value): value is Readonly<Record<string, T>> =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(is);

/** One field of a card, which stays while another card or another thread is shown. */
export const useKeptInput = <T>(
  approval: Approval,
  field: string,
  initial: () => T,
): [T, (next: (before: T) => T) => void] => useKept(cardOf(approval), field, initial);

/**
 * The same for what the person writes: it survives a restart, too, unless it may be a secret. `is` checks a value of an earlier
 * start.
 */
export function useWrittenInput<T>(
  approval: Approval,
  field: string,
  is: Check<T>,
  initial: () => T,
  isSecret = false,
): [T, (next: (before: T) => T) => void] {
  const { threadId, id } = approval;
  const key = keyOf(approval);
  const [value, setValue] = useKeptInput(approval, field, () => {
    const written = readWritten(key).fields[field];
    return is(written) ? written : initial();
  });
  const change = useCallback(
    (next: (before: T) => T) =>
      setValue((before) => {
        const after = next(before);
        if (!isSecret) {
          writeField(key, field, after);
          noteUnsent({ threadId, id }, field, after);
        }
        return after;
      }),
    [setValue, key, field, isSecret, threadId, id],
  );
  return [value, change];
}
