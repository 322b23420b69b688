import type { AppError } from '@contract/result';
import { type DragEvent, useRef, useState } from 'react';
import { useT } from '../../i18n';

/** Files that are dropped on an element. Text is left to the field below it. */
export function useDrop(onFiles: (files: readonly File[]) => void, onError: (error: AppError) => void) {
  const t = useT();
  const [isOver, setOver] = useState(false);
  /** Elements of it that the pointer is in: leaving a child is no leaving. */
  const depth = useRef(0);
  const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const leave = () => {
    depth.current = 0;
    setOver(false);
  };
  return {
    isOver,
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        depth.current += 1;
        setOver(true);
      },
      onDragOver: (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave: (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) leave();
      },
      onDrop: (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        leave();
        const items = [...event.dataTransfer.items];
        const isFolder = items.some((item) => item.webkitGetAsEntry?.()?.isDirectory === true);
        if (isFolder) onError({ kind: 'invalid', message: t('chat.noFolders') });
        else onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
