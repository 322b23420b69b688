import type { Project } from '@contract/app';
import { type DragEvent, useState } from 'react';
import { mention } from '../../../link';
import { type FileActions, mentioned } from '../use-file-actions';
import { parentOf, type Row } from './tree';

/** The drag data within the window: the path. */
const DRAGGED = 'application/x-deepdesk-path';

/** Dragging into, out of and within the tree. `onMoved`: an item moved from one path to another. */
export function useTreeDrag(
  project: Project,
  actions: FileActions,
  onMoved: (from: string, to: string) => void,
) {
  /** The folder that would receive the dragged item. */
  const [target, setTarget] = useState<string>();
  /** The folder that receives an item dropped on a row; undefined if the row accepts no drop. */
  const folderOf = (row: Row | undefined): string | undefined => {
    if (row === undefined) return undefined;
    const isFolder = row.kind === 'root' || (row.kind === 'entry' && row.entry.kind === 'directory');
    const folder = isFolder || row.kind !== 'entry' ? row.path : parentOf(row.path);
    return actions.takes(folder) ? folder : undefined;
  };

  /** Files of other programs can only be copied to this computer. */
  const targetOf = (row: Row | undefined, isOurs: boolean): string | undefined => {
    const folder = folderOf(row);
    return folder === undefined || isOurs || actions.isHere(folder) ? folder : undefined;
  };

  const onDragStart = (event: DragEvent, row: Row) => {
    if (row.kind !== 'entry' || !actions.isOwn(row.path)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      // Uses the system's drag: other programs get the file, and a drop in this window is a copy.
      event.preventDefault();
      if (actions.isHere(row.path)) void actions.dragOut(row.path);
      return;
    }
    event.dataTransfer.setData(DRAGGED, row.path);
    event.dataTransfer.setData('text/plain', `${mention(mentioned(project, row.path))} `);
    event.dataTransfer.effectAllowed = 'copyMove';
  };
  const onDragOver = (event: DragEvent, row: Row | undefined) => {
    const { types } = event.dataTransfer;
    const isOurs = types.includes(DRAGGED);
    const folder = targetOf(row, isOurs);
    if (!isOurs && !types.includes('Files')) return;
    // Elsewhere in the window, a dropped folder opens as a project.
    event.stopPropagation();
    event.preventDefault();
    event.dataTransfer.dropEffect = folder === undefined ? 'none' : isOurs ? 'move' : 'copy';
    setTarget(folder);
  };
  const onDrop = (event: DragEvent, row: Row | undefined) => {
    const folder = targetOf(row, event.dataTransfer.types.includes(DRAGGED));
    setTarget(undefined);
    event.stopPropagation();
    event.preventDefault();
    if (folder === undefined) return;
    const path = event.dataTransfer.getData(DRAGGED);
    if (path !== '') void actions.move(path, folder, onMoved);
    else void actions.put(event.dataTransfer, folder);
  };

  return { target, folderOf, onDragStart, onDragOver, onDragLeave: () => setTarget(undefined), onDrop };
}
