import { useEffect, useRef, useState } from 'react';

/** Replaces the draft's text, and sets the caret once it is rendered. */
export function useWriting(
  field: { readonly current: HTMLTextAreaElement | null },
  draft: string,
  onDraft: (text: string) => void,
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
  return { write, insert };
}

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
