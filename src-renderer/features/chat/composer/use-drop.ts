import { LONG_PASTE } from '@contract/limits';
import { type DragEvent, type RefObject, useRef, useState } from 'react';

/** What a drag over the conversation holds. Files win: an image of a web page comes with its address as text. */
export type Dragged = 'files' | 'text';

function kindOf({ dataTransfer: { types } }: DragEvent): Dragged | null {
  if (types.includes('Files')) return 'files';
  return types.includes('text/plain') || types.includes('text/uri-list') ? 'text' : null;
}

/** Marks drags that started in a conversation. Their end is not told if what is dragged disappears meanwhile. */
const OURS = 'application/x-deepdesk-conversation';

/** A link has its address. */
const textOf = ({ dataTransfer }: DragEvent): string =>
  dataTransfer.getData('text/plain') || dataTransfer.getData('text/uri-list');

const isTextField = (target: EventTarget) =>
  target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;

interface DropOptions {
  /** The field of the message. */
  input: RefObject<HTMLTextAreaElement | null>;
  taker: RefObject<Taker | null>;
}

/** Adds to the message what was dropped elsewhere. */
export interface Taker {
  /** Gets an empty list if there were only folders. */
  files(files: readonly File[]): void;
  text(text: string): void;
}

/**
 * Handles files, text and links dropped on an element. A text field takes text by itself, where the pointer is, except that
 * the message gets a long one as an attachment. Text dragged from the element itself, such as by accident while selecting, is
 * taken by text fields only. Folders are left to the window, which opens them: which it is becomes known only at the drop.
 */
export function useDrop({ input, taker }: DropOptions) {
  const [over, setOver] = useState<Dragged | null>(null);
  /** Where a drag started within the element. */
  const from = useRef<EventTarget | null>(null);

  const originOf = ({ dataTransfer }: DragEvent) => (dataTransfer.types.includes(OURS) ? from.current : null);
  /** Whether the element takes the text at this place, and not a text field or nothing. */
  const takesText = (event: DragEvent) => !isTextField(event.target) && originOf(event) === null;
  const dropText = (event: DragEvent) => {
    const text = textOf(event);
    const isInto = event.target === input.current && originOf(event) !== input.current;
    const isLong = isInto && text.length > LONG_PASTE;
    if (text === '' || !(isLong || takesText(event))) return;
    event.preventDefault();
    taker.current?.text(text);
  };
  const dropFiles = (event: DragEvent) => {
    const { items, files } = event.dataTransfer;
    const isFolder = [...items].map((item) => item.webkitGetAsEntry?.()?.isDirectory === true);
    if (!isFolder.includes(true)) event.preventDefault();
    taker.current?.files([...files].filter((_, index) => isFolder[index] !== true));
  };

  return {
    over,
    handlers: {
      onDragStart: (event: DragEvent) => {
        from.current = event.target;
        event.dataTransfer.setData(OURS, '');
      },
      onDragEnd: () => {
        from.current = null;
      },
      onDragOver: (event: DragEvent) => {
        const kind = kindOf(event);
        const isTaken = kind === 'files' || (kind === 'text' && takesText(event));
        setOver(isTaken ? kind : null);
        if (!isTaken) return;
        // The window sees that the event is handled and does not offer itself as a target.
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave: (event: DragEvent<HTMLElement>) => {
        // Moving between its children does not count as leaving.
        const { relatedTarget } = event;
        if (relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget)) return;
        setOver(null);
      },
      onDrop: (event: DragEvent) => {
        setOver(null);
        const kind = kindOf(event);
        if (kind === 'files') dropFiles(event);
        else if (kind === 'text') dropText(event);
      },
    },
  };
}
