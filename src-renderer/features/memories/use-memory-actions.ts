import type { ProjectId } from '@contract/ids';
import { useState } from 'react';
import { naming, useT } from '../../i18n';
import { call, toast, toastUndo } from '../../link';
import type { ImportPreview } from './import-dialog';
import { type useEditor, useOpenMemory } from './use-memories';
import { isShared, nameOf } from './written-by';

interface Parts extends Pick<ReturnType<typeof useEditor>, 'dispatch' | 'open'> {
  forget(path: string): void;
}

/** Deletes or moves the open memory. Both can be undone from the toast. */
export function useMemoryChanges({ dispatch, open, forget }: Parts) {
  const t = useT();
  const projectId = useOpenMemory((state) => state.projectId);

  const remove = async (path: string) => {
    const result = await call('memories.delete', { path, projectId });
    if (!result.ok) {
      toast(result.error.message);
      return;
    }
    forget(path);
    dispatch({ type: 'closed' });
    const restore = async () => {
      const restored = await call('memories.restore', { path, projectId });
      if (!restored.ok) toast(restored.error.message);
    };
    toastUndo(naming(t, 'memories.deleted', { name: nameOf(path) }), () => void restore());
  };

  const move = async (path: string) => {
    if (projectId === null) return;
    const result = await call('memories.move', { path, projectId });
    if (!result.ok) return toast(result.error.message);
    const moved = result.value.memory.path;
    open(moved);
    const goBack = async () => {
      const back = await call('memories.move', { path: moved, projectId });
      if (back.ok) open(back.value.memory.path);
      else toast(back.error.message);
    };
    const message = t(isShared(moved) ? 'memories.movedEverywhere' : 'memories.movedHere', {
      name: nameOf(moved),
    });
    toastUndo(message, () => void goBack());
  };

  return { remove, move };
}

/** Exports all memories into a folder, or previews those of a folder before they are imported. */
export function useMemoryFiles(projectId: ProjectId | null) {
  const t = useT();
  const [preview, setPreview] = useState<ImportPreview>();

  const exportAll = async () => {
    const result = await call('memories.export', { projectId });
    if (!result.ok) toast(result.error.message);
    else if (result.value.folder !== null)
      toast(t('memories.exported', { count: result.value.count, folder: result.value.folder }));
  };

  const importFrom = async () => {
    const result = await call('memories.previewImport', { projectId });
    if (!result.ok) toast(result.error.message);
    else if (result.value.importId !== null)
      setPreview({ importId: result.value.importId, entries: result.value.entries });
  };

  return { preview, closePreview: () => setPreview(undefined), exportAll, importFrom };
}
