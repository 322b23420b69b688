import { useEffect, useRef, useState } from 'react';

/** Other words for the draft, with the caret where it belongs once they are there. */
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

/** Something that is true for a while. */
export function useFor(milliseconds: number): [boolean, (is: boolean) => void] {
  const [is, set] = useState(false);
  useEffect(() => {
    if (!is) return;
    const timer = setTimeout(() => set(false), milliseconds);
    return () => clearTimeout(timer);
  }, [is, milliseconds]);
  return [is, set];
}

/** Words as they stand behind others: after a space, those with a line of their own on one. */
function apart(before: string, words: string): string {
  if (words.startsWith('\n')) return before === '' || before.endsWith('\n') ? words.slice(1) : words;
  return before === '' || /\s$/u.test(before) ? words : ` ${words}`;
}
