import type { AppError } from '@contract/result';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useT } from '../../../i18n';
import { call } from '../../../link';
import { Button, ErrorNote, Skeleton } from '../../../ui';
import { readUnsaved, writeUnsaved } from '../unsaved';
import { useChanged } from '../use-changed';
import type { CodeEditor } from './code-mirror';
import { Conflict } from './conflict';
import { nameOf, type Place } from './place';
import { Failed } from './waiting';

export interface EditorHandle {
  /** Answers whether it is saved. */
  save(): Promise<boolean>;
}

interface EditorProps {
  place: Place;
  /** 0-based: where the person was reading. */
  line: number;
  onDirty(dirty: boolean): void;
  handle: (handle: EditorHandle | null) => void;
}

/** Milliseconds after a key until what was typed is kept. */
const KEEP_AFTER = 300;

/** A text of the folder to change. Nothing that somebody else wrote meanwhile is overwritten without being shown. */
export const Editor = ({ place, line, onDirty, handle }: EditorProps) => {
  const t = useT();
  const { projectId, threadId, path } = place;
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>(undefined);
  /** What is on the disk, as far as the person has seen it. */
  const base = useRef<{ text: string; version: string | null }>({ text: '', version: null });
  const [isReady, setReady] = useState(false);
  const [failed, setFailed] = useState<AppError>();
  const [error, setError] = useState<AppError>();
  const [theirs, setTheirs] = useState<{ text: string; version: string }>();
  const [isComparing, setComparing] = useState(false);
  const first = useRef({ line, onDirty, t });
  first.current = { line, onDirty, t };
  const keeping = useRef<ReturnType<typeof setTimeout>>(undefined);

  const keep = useCallback(
    (text: string) => {
      clearTimeout(keeping.current);
      const isDirty = text !== base.current.text;
      writeUnsaved(projectId, path, isDirty ? { text, version: base.current.version ?? '' } : undefined);
      first.current.onDirty(isDirty);
    },
    [projectId, path],
  );

  const save = useCallback(async (): Promise<boolean> => {
    const text = editor.current?.text();
    if (text === undefined) return false;
    const { version } = base.current;
    const result = await call('files.save', { projectId, path, text, version });
    if (result.ok) {
      base.current = { text, version: result.value.version };
      setError(undefined);
      setTheirs(undefined);
      keep(editor.current?.text() ?? text);
      return true;
    }
    if (result.error.kind === 'stale') {
      const now = await call('files.text', { projectId, threadId, path });
      if (now.ok) {
        setTheirs(now.value);
        setComparing(true);
        return false;
      }
    }
    // Gone meanwhile: what was typed makes it anew.
    if (result.error.kind === 'not_found') base.current = { ...base.current, version: null };
    setError(result.error);
    return false;
  }, [projectId, threadId, path, keep]);

  useEffect(() => {
    handle({ save });
    return () => handle(null);
  }, [handle, save]);

  useEffect(() => {
    let isOver = false;
    const open = async () => {
      const [read, { openCodeEditor }] = await Promise.all([
        call('files.text', { projectId, threadId, path }),
        import('./code-mirror'),
      ]);
      if (isOver || box.current === null) return;
      if (!read.ok) return setFailed(read.error);
      const unsaved = readUnsaved(projectId, path);
      base.current = read.value;
      if (unsaved !== undefined && unsaved.version !== read.value.version) setTheirs(read.value);
      const words = first.current.t;
      editor.current = openCodeEditor({
        parent: box.current,
        name: nameOf(path),
        text: unsaved?.text ?? read.value.text,
        label: words('files.content', { name: nameOf(path) }),
        line: first.current.line,
        phrases: {
          Find: words('files.find'),
          Replace: words('files.replaceWith'),
          next: words('files.next'),
          previous: words('files.previous'),
          all: words('files.all'),
          replace: words('files.replaceOne'),
          'replace all': words('files.replaceAll'),
          'match case': words('files.matchCase'),
          regexp: words('files.regexp'),
          'by word': words('files.byWord'),
          close: words('files.closeFind'),
        },
        onChange: (text) => {
          first.current.onDirty(text !== base.current.text);
          clearTimeout(keeping.current);
          keeping.current = setTimeout(() => keep(text), KEEP_AFTER);
        },
        onSave: () => void save(),
      });
      setReady(true);
      first.current.onDirty(unsaved !== undefined && unsaved.text !== read.value.text);
    };
    void open();
    return () => {
      isOver = true;
      if (editor.current) keep(editor.current.text());
      editor.current?.close();
      editor.current = undefined;
    };
  }, [projectId, threadId, path, keep, save]);

  useChanged(
    projectId,
    threadId,
    path,
    useCallback(() => {
      void call('files.text', { projectId, threadId, path }).then((now) => {
        const own = editor.current;
        if (!now.ok || own === undefined || now.value.version === base.current.version) return;
        if (own.text() === base.current.text) {
          // Nothing was typed: the editor shows what is there now.
          base.current = now.value;
          own.replace(now.value.text);
          keep(now.value.text);
        } else setTheirs(now.value);
      });
    }, [projectId, threadId, path, keep]),
  );

  const keepMine = async () => {
    if (theirs === undefined) return;
    base.current = theirs;
    setComparing(false);
    setTheirs(undefined);
    await save();
    editor.current?.focus();
  };
  const takeTheirs = () => {
    if (theirs === undefined) return;
    base.current = theirs;
    editor.current?.replace(theirs.text);
    keep(theirs.text);
    setTheirs(undefined);
    setComparing(false);
    setError(undefined);
    editor.current?.focus();
  };

  if (failed) return <Failed error={failed} />;
  return (
    <div className="flex h-full flex-col" data-own-find>
      {error && (
        <div className="shrink-0 border-b border-line p-2">
          <ErrorNote message={error.message} detail={error.detail} />
        </div>
      )}
      {theirs && !isComparing && (
        <div className="shrink-0 border-b border-line p-2">
          <ErrorNote
            tone="ask"
            message={t('files.changedOnDisk')}
            actions={
              <Button size="sm" onClick={() => setComparing(true)}>
                {t('files.compare')}
              </Button>
            }
          />
        </div>
      )}
      {theirs && isComparing && (
        <Conflict
          mine={editor.current?.text() ?? ''}
          theirs={theirs.text}
          onKeepMine={() => void keepMine()}
          onTakeTheirs={takeTheirs}
          onBack={() => setComparing(false)}
        />
      )}
      {!isReady && <Skeleton lines={8} />}
      <div ref={box} className={isComparing && theirs ? 'hidden' : 'min-h-0 grow'} />
    </div>
  );
};
