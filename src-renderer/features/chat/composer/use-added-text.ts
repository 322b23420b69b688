import { LONG_PASTE } from '@contract/limits';
import { type ClipboardEvent, useEffect, useRef } from 'react';
import { useT } from '../../../i18n';
import { onIntent } from '../../../link';
import type { Attaching } from './use-attaching';

/** Handles pastes in the composer: files and long texts become attachments, and the browser handles the rest. */
export function usePaste(attaching: Attaching): (event: ClipboardEvent) => void {
  const t = useT();
  /** An image from the clipboard has no meaningful file name. */
  const named = (file: File) =>
    /^image\.\w+$/u.test(file.name)
      ? new File([file], `${t('chat.pastedPicture')}.${file.name.split('.').at(-1)}`, { type: file.type })
      : file;
  return (event) => {
    const text = event.clipboardData.getData('text/plain');
    const files = [...event.clipboardData.files];
    // Office programs add an image of the copied content to its text; the person wants the text.
    const areMeant =
      files.length > 0 && (text === '' || files.some(({ type }) => !type.startsWith('image/')));
    if (!areMeant && text.length <= LONG_PASTE) return;
    event.preventDefault();
    if (areMeant) attaching.files(files.map(named), 'paste');
    else attaching.text(text);
  };
}

/**
 * Inserts additions from elsewhere in the window at the caret, or appends them to the draft; attaches a long text. Returns
 * what does so with dropped text.
 */
export function useAddedText(attaching: Attaching, insert: (text: string) => void): (text: string) => void {
  const add = useRef((_text: string, _longest: number) => {});
  add.current = (text, longest) => {
    const isBlock = text.includes('\n');
    if (text.length > longest) attaching.text(text);
    else insert(isBlock ? text : `${text.trimEnd()} `);
  };
  useEffect(
    () =>
      onIntent((intent) => {
        if (intent.type === 'addToMessage') add.current(intent.text, 2 * LONG_PASTE);
      }),
    [],
  );
  return (text) => add.current(text, LONG_PASTE);
}
