import { type DragEvent, useState } from 'react';

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/**
 * Files that are dropped on an element. Text is left to the field below it, and folders to the window, which opens them:
 * until the drop nobody is told which it is.
 */
export function useDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        // The window, which sees that it is taken, does not offer itself as a place any more.
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      },
      onDragLeave: (event: DragEvent<HTMLElement>) => {
        // Leaving one element of it for another is no leaving.
        const { relatedTarget } = event;
        if (relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget)) return;
        setOver(false);
      },
      onDrop: (event: DragEvent) => {
        setOver(false);
        if (!holdsFiles(event)) return;
        const items = [...event.dataTransfer.items];
        if (items.some((item) => item.webkitGetAsEntry?.()?.isDirectory === true)) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
