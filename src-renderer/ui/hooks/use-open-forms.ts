import { useState } from 'react';

interface OpenForms<T> {
  /** What is listed. An entry that was removed while its form was open stays in its place until the form closes. */
  entries: readonly { entry: T; isGone: boolean }[];
  isOpen(id: string): boolean;
  setOpen(id: string, isOpen: boolean): void;
}

/**
 * The entries of a list that have forms, and which forms are open. Somebody else may remove an entry at any time, which must not
 * take away what the person has typed about it. `opened`: the form of this entry is open from the start.
 */
export function useOpenForms<T extends { id: string }>(
  listed: readonly T[],
  opened: string | null = null,
): OpenForms<T> {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(opened === null ? [] : [opened]));
  const [last, setLast] = useState(listed);
  const there = new Set(listed.map(({ id }) => id));
  const shown = [...listed];
  for (const [at, entry] of last.entries())
    if (!there.has(entry.id) && open.has(entry.id)) shown.splice(at, 0, entry);
  const isSame = shown.length === last.length && shown.every((entry, at) => entry === last[at]);
  // While rendering, as React advises for state that follows from a change of something else.
  if (!isSame) setLast(shown);
  return {
    entries: shown.map((entry) => ({ entry, isGone: !there.has(entry.id) })),
    isOpen: (id) => open.has(id),
    setOpen: (id, isOpen) =>
      setOpen((before) => new Set([...[...before].filter((one) => one !== id), ...(isOpen ? [id] : [])])),
  };
}

/**
 * Whether the entry of a form was removed: by the list, or because the main process refused to save it, until the list is read
 * again. The entry may be back then.
 */
export function useIsGone<T extends object>(entry: T | null, isUnlisted: boolean): [boolean, () => void] {
  const [refused, setRefused] = useState<T | null>(null);
  return [isUnlisted || (entry !== null && entry === refused), () => setRefused(entry)];
}
