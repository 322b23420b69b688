import type { Project } from '@contract/app';
import type { Answer, ErrorInWords } from '@contract/result';
import { useMemo } from 'react';
import { naming, useErrorWords, useT } from '../../i18n';
import { addToMessage, call, mention, toast, toastUndo } from '../../link';
import { plainName, useCopy } from '../../ui';
import { copyIn } from './copy-in';
import { toTrash } from './to-trash';
import { isWithin, parentOf, type Root } from './tree/tree';

/** For files whose folder is not shown as a tree. */
const NO_ROOTS: readonly Root[] = [];

type Moved = (from: string, to: string) => void;

export type FileActions = ReturnType<typeof useFileActions>;

/** What the person can do with a project's files. Errors that have no place in the tree appear at the bottom. */
export function useFileActions(project: Project, roots = NO_ROOTS) {
  const t = useT();
  const errorWords = useErrorWords();
  const copy = useCopy();
  return useMemo(() => {
    const { id: projectId } = project;
    const words = { t, errorWords };
    const rootOf = (path: string) =>
      roots.find((root) => root.changes !== undefined && isWithin(path, root.path));
    const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
    const said = async (work: Promise<Answer<unknown>>) => {
      const result = await work;
      if (!result.ok) toast(result.error.message);
    };
    const errorOf = (result: Answer<unknown>): ErrorInWords | undefined =>
      result.ok ? undefined : result.error;
    const moveTo = async (from: string, to: string, moved: Moved) => {
      const failed = errorOf(await call('files.move', { projectId, from, to }));
      if (failed === undefined) moved(from, to);
      return failed;
    };
    const moveBack = async (from: string, to: string, moved: Moved) => {
      const failed = await moveTo(to, from, moved);
      if (failed) toast(failed.message);
    };
    return {
      /** Whether the person can rename and delete it. */
      isOwn: (path: string) => {
        const root = rootOf(path);
        return root !== undefined && root.path !== path;
      },
      /** Whether it is on this computer, where other programs can have it. */
      isHere: (path: string) => rootOf(path)?.changes === 'here',
      isInProject: (path: string) => isWithin(path, project.mount),
      /** Whether something can be put into this folder. */
      takes: (folder: string) => rootOf(folder) !== undefined,
      create: async (folder: string, name: string, kind: 'file' | 'directory') =>
        errorOf(await call('files.create', { projectId, path: `${folder}/${name}`, kind })),
      /** Calls `moved` for the new name, and for its undo. */
      rename: async (path: string, name: string, moved: Moved) => {
        const to = `${parentOf(path)}/${name}`;
        const failed = await moveTo(path, to, moved);
        if (failed === undefined)
          toastUndo(
            naming(t, 'files.renamed', { from: plainName(nameOf(path)), to: plainName(name) }),
            () => void moveBack(path, to, moved),
          );
        return failed;
      },
      /** Calls `moved` for the move, and for its undo. */
      move: async (path: string, folder: string, moved: Moved) => {
        if (parentOf(path) === folder) return;
        const to = `${folder}/${nameOf(path)}`;
        const failed = await moveTo(path, to, moved);
        if (failed) toast(failed.message);
        else
          toastUndo(
            naming(t, 'files.moved', { name: plainName(nameOf(path)) }),
            () => void moveBack(path, to, moved),
          );
      },
      duplicate: async (path: string) => {
        const result = await call('files.copy', { projectId, path });
        if (!result.ok) return toast(result.error.message);
        const { path: copy } = result.value;
        toastUndo(
          naming(t, 'files.duplicated', { name: plainName(nameOf(copy)) }),
          () => void toTrash(projectId, [copy], words),
        );
      },
      trash: (path: string) =>
        toTrash(projectId, [path], words, naming(t, 'files.trashed', { name: plainName(nameOf(path)) })),
      /** Copies files that were dropped from outside. */
      put: (transfer: DataTransfer, folder: string) => copyIn(transfer, { projectId, folder }, words),
      dragOut: (path: string) => said(call('files.dragOut', { projectId, paths: [path] })),
      reveal: (path: string) => said(call('files.reveal', { projectId, path })),
      openOutside: async (path: string) => {
        const result = await call('files.openOutside', { projectId, path });
        if (!result.ok) toast(result.error.message);
        else if (!result.value.opened)
          toast(naming(t, 'files.shownInstead', { name: plainName(nameOf(path)) }));
      },
      copyPath: (path: string) => copy(path, t('files.pathCopied')),
      copyRelative: (path: string) => copy(mentioned(project, path), t('files.pathCopied')),
      addToMessage: (path: string) => addToMessage(mention(mentioned(project, path))),
    };
  }, [project, roots, copy, t, errorWords]);
}

/** Files of the project's folder are named relative to it. */
export const mentioned = ({ mount }: Pick<Project, 'mount'>, path: string): string =>
  isWithin(path, mount) ? path.slice(mount.length + 1) : path;
