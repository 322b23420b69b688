import type { ErrorInWords } from '@contract/result';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useT } from '../../../i18n';
import { call } from '../../../link';
import { isFocusLost } from '../../../ui';
import { readUnsaved, writeUnsaved } from '../unsaved';
import { useChanged } from '../use-changed';
import type { CodeEditor } from './code-mirror';
import { nameOf, type Place } from './place';

/** Milliseconds between a keystroke and saving the draft. */
const KEEP_AFTER = 300;

interface DiskText {
  text: string;
  version: string;
}

/** What is on disk, as far as the person has seen it. */
interface Base {
  /** Null: it could not be read. */
  text: string | null;
  version: string | null;
}

/** The state of an open editor. */
interface Session {
  place: Place;
  editor: RefObject<CodeEditor | undefined>;
  base: RefObject<Base>;
  /** Keeps the draft across restarts until it is saved. */
  keep(text: string): void;
  /** Sets what somebody else wrote to the file. */
  setTheirs(theirs: DiskText | undefined): void;
  setComparing(isComparing: boolean): void;
  setError(error: ErrorInWords | undefined): void;
  /** Whether the file was deleted. Saving creates it again. */
  setGone(isGone: boolean): void;
}

/** Edits a text. Keeps unsaved changes as a draft, and compares them when the file changes on disk. */
export function useEditor(place: Place, line: number, onDirty: (dirty: boolean) => void) {
  const t = useT();
  const { projectId, path } = place;
  const editor = useRef<CodeEditor>(undefined);
  const base = useRef<Base>({ text: '', version: null });
  const [error, setError] = useState<ErrorInWords>();
  const [theirs, setTheirs] = useState<DiskText>();
  const [isComparing, setComparing] = useState(false);
  const [isGone, setGone] = useState(false);
  const first = useRef({ line, onDirty, t });
  first.current = { line, onDirty, t };
  const keeping = useRef<ReturnType<typeof setTimeout>>(undefined);

  const keep = useCallback(
    (text: string) => {
      clearTimeout(keeping.current);
      keeping.current = undefined;
      const isDirty = text !== base.current.text;
      writeUnsaved(projectId, path, isDirty ? { text, version: base.current.version ?? '' } : undefined);
      first.current.onDirty(isDirty);
    },
    [projectId, path],
  );

  const session: Session = { place, editor, base, keep, setTheirs, setComparing, setError, setGone };
  const save = useSave(session);
  const early = useEarly(place);
  const { box, isReady, failed, retry } = useOpened(session, first, keeping, { early, save });
  useChangedOnDisk(session, failed && retry);

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

  return {
    box,
    early,
    editor,
    isReady,
    failed,
    retry,
    error,
    theirs,
    isComparing,
    isGone,
    setComparing,
    save,
    keepMine,
    takeTheirs,
  };
}

/**
 * Saves, unless somebody else changed the file since it was read. Resolves to whether it is saved. One save at a time: the
 * next one needs the version that it wrote.
 */
function useSave(session: Session) {
  const { editor, base } = session;
  const write = useWrite(session);
  const last = useRef<Promise<boolean> | undefined>(undefined);
  return useCallback(async (): Promise<boolean> => {
    const mine = (last.current ?? Promise.resolve(false)).then((isSaved) =>
      isSaved && editor.current?.text() === base.current.text ? true : write(),
    );
    last.current = mine;
    const isSaved = await mine;
    if (last.current === mine) last.current = undefined;
    return isSaved;
  }, [write, editor, base]);
}

function useWrite({ place, editor, base, keep, setTheirs, setComparing, setError, setGone }: Session) {
  const { projectId, threadId, path } = place;
  return useCallback(async (): Promise<boolean> => {
    const text = editor.current?.text();
    if (text === undefined) return false;
    const { version } = base.current;
    const result = await call('files.save', { projectId, path, text, version });
    if (result.ok) {
      base.current = { text, version: result.value.version };
      setError(undefined);
      setTheirs(undefined);
      setGone(false);
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
    if (result.error.kind === 'not_found' && version !== null) {
      base.current = { ...base.current, version: null };
      setGone(true);
      setError(undefined);
    } else setError(result.error);
    return false;
  }, [projectId, threadId, path, keep, editor, base, setTheirs, setComparing, setError, setGone]);
}

/**
 * A field in the place of the editor until that is open. It has the focus, so what is typed meanwhile is not lost. If the editor
 * opens by itself for a draft, the person may be typing elsewhere.
 */
function useEarly({ projectId, path }: Place): RefObject<HTMLTextAreaElement | null> {
  const early = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (isFocusLost() || readUnsaved(projectId, path) === undefined) early.current?.focus();
  }, [projectId, path]);
  return early;
}

/** Reads the file and opens it in an editor in `box`; loads the editor's code first. */
function useOpened(
  { place, editor, base, keep, setTheirs, setError, setGone }: Session,
  first: RefObject<{ line: number; onDirty(dirty: boolean): void; t: ReturnType<typeof useT> }>,
  keeping: RefObject<ReturnType<typeof setTimeout> | undefined>,
  { early, save }: { early: RefObject<HTMLTextAreaElement | null>; save(): Promise<boolean> },
) {
  const { projectId, threadId, path } = place;
  const box = useRef<HTMLDivElement>(null);
  const [isReady, setReady] = useState(false);
  const [failed, setFailed] = useState<ErrorInWords>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt reads again
  useEffect(() => {
    let isOver = false;
    const open = async () => {
      const [read, { openCodeEditor }] = await Promise.all([
        call('files.text', { projectId, threadId, path }),
        import('./code-mirror'),
      ]);
      if (isOver || box.current === null) return;
      const unsaved = readUnsaved(projectId, path);
      const isGone = !read.ok && read.error.kind === 'not_found' && unsaved !== undefined;
      if (!read.ok && unsaved === undefined) return setFailed(read.error);
      base.current = read.ok ? read.value : { text: isGone ? '' : null, version: null };
      setGone(isGone);
      if (!read.ok && !isGone) {
        // Its place may be offline. Saving finds out whether somebody else has changed it since.
        base.current.version = unsaved?.version ?? null;
        setError(read.error);
      }
      if (read.ok && unsaved !== undefined && unsaved.version !== read.value.version) setTheirs(read.value);
      const words = first.current.t;
      editor.current = openCodeEditor({
        parent: box.current,
        name: nameOf(path),
        text: unsaved?.text ?? base.current.text ?? '',
        label: words('files.content', { name: nameOf(path) }),
        line: first.current.line,
        typed: early.current?.value ?? '',
        phrases: phrasesOf(words),
        onChange: (text) => {
          first.current.onDirty(text !== base.current.text);
          clearTimeout(keeping.current);
          keeping.current = setTimeout(() => keep(text), KEEP_AFTER);
        },
        onSave: () => void save(),
      });
      if (isFocusLost() || document.activeElement === early.current) editor.current.focus();
      setReady(true);
      first.current.onDirty(editor.current.text() !== base.current.text);
    };
    void open();
    return () => {
      isOver = true;
      // Otherwise it is kept already, perhaps for another path by now.
      if (editor.current && keeping.current !== undefined) keep(editor.current.text());
      editor.current?.close();
      editor.current = undefined;
    };
  }, [
    projectId,
    threadId,
    path,
    keep,
    save,
    editor,
    base,
    first,
    keeping,
    early,
    attempt,
    setTheirs,
    setError,
    setGone,
  ]);
  const retry = useCallback(() => {
    setFailed(undefined);
    setAttempt((before) => before + 1);
  }, []);
  return { box, isReady, failed, retry };
}

/** The file can disappear at any time, which only the listing of its folder shows. */
const ALWAYS = () => true;

/**
 * If there are no unsaved changes, shows the new text immediately; otherwise, the person compares both. `retry`: opens a file
 * that could not be read.
 */
function useChangedOnDisk(
  { place, editor, base, keep, setTheirs, setGone }: Session,
  retry: (() => void) | undefined,
): void {
  const { projectId, threadId, path } = place;
  useChanged(
    projectId,
    threadId,
    path,
    useCallback(() => {
      if (retry !== undefined) return retry();
      void call('files.text', { projectId, threadId, path }).then((now) => {
        const own = editor.current;
        if (own === undefined) return;
        if (!now.ok) {
          if (now.error.kind !== 'not_found') return;
          base.current = { ...base.current, version: null };
          setTheirs(undefined);
          return setGone(true);
        }
        setGone(false);
        if (now.value.version === base.current.version) return;
        if (own.text() === base.current.text) {
          // There were no unsaved changes, so the editor shows the new text.
          base.current = now.value;
          own.replace(now.value.text);
          keep(now.value.text);
        } else setTheirs(now.value);
      });
    }, [projectId, threadId, path, keep, editor, base, setTheirs, setGone, retry]),
    ALWAYS,
  );
}

/** The editor's own messages in the person's language. */
const phrasesOf = (t: ReturnType<typeof useT>) => ({
  Find: t('files.find'),
  Replace: t('files.replaceWith'),
  next: t('files.next'),
  previous: t('files.previous'),
  all: t('files.all'),
  replace: t('files.replaceOne'),
  'replace all': t('files.replaceAll'),
  'match case': t('files.matchCase'),
  regexp: t('files.regexp'),
  'by word': t('files.byWord'),
  close: t('files.closeFind'),
});
