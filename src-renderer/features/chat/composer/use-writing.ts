import { useEffect, useRef, useState } from 'react';
import type { ChangeDraft } from './drafts';

/** Replaces the draft's text and sets the caret. */
export function useWriting(
  field: { readonly current: HTMLTextAreaElement | null },
  draft: string,
  onDraft: ChangeDraft,
) {
  const caret = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field has its new text once the draft has changed
  useEffect(() => {
    if (caret.current === undefined) return;
    field.current?.focus();
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [draft, field]);
  const write = (text: string, at: number) => {
    const area = field.current;
    if (area !== null && replaceAsTyped(area, text)) {
      area.setSelectionRange(at, at);
      return;
    }
    caret.current = at;
    onDraft(text);
  };
  const insert = (words: string) => {
    const area = field.current;
    const at = document.activeElement === area ? (area?.selectionStart ?? draft.length) : draft.length;
    const before = draft.slice(0, at);
    const put = before + apart(before, words);
    write(put + draft.slice(at), put.length);
  };
  /** Appends what has taken a while, below what was written meanwhile. */
  const append = (words: string) => {
    const after = (now: string) => (now.trim() === '' ? words : `${now.trimEnd()}\n${words}`);
    const now = field.current?.value;
    if (now === undefined) return onDraft(after);
    const text = after(now);
    write(text, text.length);
  };
  return { write, insert, append };
}

/**
 * Changes the text of a field as typing does, so that its undo includes the change; setting the value would end the undo of
 * everything before. The field tells its new text with an `input` event. False if the field takes no typing now.
 */
function replaceAsTyped(area: HTMLTextAreaElement, text: string): boolean {
  const { value } = area;
  const shorter = Math.min(value.length, text.length);
  let from = 0;
  while (from < shorter && value[from] === text[from]) from++;
  let rest = 0;
  while (rest < shorter - from && value.at(-1 - rest) === text.at(-1 - rest)) rest++;
  // Never between the two units of one character.
  if (isInside(value, from) || isInside(text, from)) from--;
  if (isInside(value, value.length - rest) || isInside(text, text.length - rest)) rest--;
  const words = text.slice(from, text.length - rest);
  area.focus();
  area.setSelectionRange(from, value.length - rest);
  if (words === '' && from === value.length - rest) return true;
  // Deprecated, but nothing else reaches a field's own undo. Absent in tests without a browser.
  return document.execCommand?.(words === '' ? 'delete' : 'insertText', false, words) === true;
}

const isInside = (text: string, at: number) => /^[\udc00-\udfff]/.test(text.slice(at, at + 1));

/** A flag that resets after a while. */
export function useFor(milliseconds: number): [boolean, (is: boolean) => void] {
  const [is, set] = useState(false);
  useEffect(() => {
    if (!is) return;
    const timer = setTimeout(() => set(false), milliseconds);
    return () => clearTimeout(timer);
  }, [is, milliseconds]);
  return [is, set];
}

/** Text to append: after a space, or on a new line if it starts with a line break. */
function apart(before: string, words: string): string {
  if (words.startsWith('\n')) return before === '' || before.endsWith('\n') ? words.slice(1) : words;
  return before === '' || /\s$/u.test(before) ? words : ` ${words}`;
}
