import type { ProjectId, ThreadId } from '@contract/ids';
import { useEffect, useMemo, useRef, useState } from 'react';
import { placesIn, useApp, usePlaces } from '../../link';
import { isText, kindOf } from './file-kind';
import { rememberFile } from './recent';
import { isWithin } from './tree/tree';
import { readUnsaved } from './unsaved';
import { useFile } from './use-file';
import type { EditorHandle } from './viewers/editor';
import type { Place } from './viewers/place';

/** `shown`: in its own view; `raw`: its text; `edit`: its text in an editor. */
type Mode = 'shown' | 'raw' | 'edit';

/** How a file is shown (in its own view, as text, or in an editor), and which of its tools are open. */
export function useFileView(
  projectId: ProjectId,
  threadId: ThreadId | null,
  path: string,
  opened: { line: number } | null,
) {
  const project = useApp((app) => app.projects.find((other) => other.id === projectId));
  const place = useMemo((): Place => ({ projectId, threadId, path }), [projectId, threadId, path]);
  const kind = kindOf(path);
  const isOwn = project !== undefined && project.remote === undefined && isWithin(path, project.mount);
  const { list } = usePlaces(projectId);
  const isInPlace = placesIn(list).some((one) => path.startsWith(one.path));
  const canEdit = (isOwn || isInPlace) && isText(path);
  const hasUnsaved = useMemo(() => readUnsaved(projectId, path) !== undefined, [projectId, path]);
  const [mode, setMode] = useState<Mode>(() =>
    hasUnsaved ? 'edit' : kind === 'text' || opened !== null ? 'raw' : 'shown',
  );
  const [isDirty, setDirty] = useState(hasUnsaved);
  const [wrap, setWrap] = useState(false);
  const [find, setFind] = useState(false);
  const [blame, setBlame] = useState(false);
  const [isGoing, setGoing] = useState(false);
  const [goTo, setGoTo] = useState<{ line: number }>();
  const read = useFile(projectId, threadId, path);
  const { file } = read;
  useEffect(() => rememberFile(projectId, path), [projectId, path]);
  useEffect(() => {
    if (opened === null) return;
    setGoTo(opened);
    setMode((before) => (before === 'shown' ? 'raw' : before));
  }, [opened]);

  const isTextShown = mode === 'raw' && file.phase === 'text';
  const isRendered = mode === 'shown' && kind !== 'text';
  const canFind = isTextShown || (isRendered && (kind === 'pdf' || isText(path)));
  const openFind = () => {
    // A search runs on the text. A table or rendered view shows only part of it.
    if (isRendered && kind !== 'pdf') setMode('raw');
    setFind(true);
  };

  return {
    project,
    place,
    kind,
    isOwn,
    canEdit,
    mode,
    setMode,
    isDirty,
    setDirty,
    wrap,
    setWrap,
    find,
    setFind,
    openFind,
    canFind,
    blame,
    setBlame,
    isGoing,
    setGoing,
    goTo,
    setGoTo,
    isTextShown,
    isRendered,
    ...read,
  };
}

export type FileView = ReturnType<typeof useFileView>;

/** Saves the open editor, and asks about unsaved text before leaving it. */
export function useLeaving({ isDirty, mode, kind, setMode, reload }: FileView, onClose: () => void) {
  const editor = useRef<EditorHandle | null>(null);
  /** What happens once the unsaved text is saved or discarded; null: there is no question. */
  const [asking, setAsking] = useState<{ go(): void } | null>(null);
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    const isSaved = (await editor.current?.save()) ?? false;
    setSaving(false);
    return isSaved;
  };
  const leave = (go: () => void) => (isDirty && mode === 'edit' ? setAsking({ go }) : go());
  const read = () => {
    // No event reports what was saved in a place.
    reload();
    setMode(kind === 'text' ? 'raw' : 'shown');
  };
  return {
    editor,
    asking,
    setAsking,
    isSaving,
    save,
    close: () => leave(onClose),
    stopEditing: () => leave(read),
  };
}

export type Leaving = ReturnType<typeof useLeaving>;
