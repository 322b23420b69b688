import { type DragEvent, useState } from 'react';

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/**
 * Handles files dropped on an element. Text is left to the field below it, and folders to the window, which opens them:
 * which it is becomes known only at the drop. `onFiles` gets an empty list if there were only folders.
 */
export function useDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        // The window sees that the event is handled and does not offer itself as a target.
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      },
      onDragLeave: (event: DragEvent<HTMLElement>) => {
        // Moving between its children does not count as leaving.
        const { relatedTarget } = event;
        if (relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget)) return;
        setOver(false);
      },
      onDrop: (event: DragEvent) => {
        setOver(false);
        if (!holdsFiles(event)) return;
        const { items, files } = event.dataTransfer;
        const isFolder = [...items].map((item) => item.webkitGetAsEntry?.()?.isDirectory === true);
        if (!isFolder.includes(true)) event.preventDefault();
        onFiles([...files].filter((_, index) => isFolder[index] !== true));
      },
    },
  };
}
