import { useEffect } from 'react';
import { useT } from '../../../i18n';
import { Button, ErrorNote, Skeleton } from '../../../ui';
import { Conflict } from './conflict';
import { nameOf, type Place } from './place';
import { useEditor } from './use-editor';
import { Failed } from './waiting';

export interface EditorHandle {
  /** Resolves to whether it is saved. */
  save(): Promise<boolean>;
}

interface EditorProps {
  place: Place;
  /** 0-based line where the person was reading. */
  line: number;
  onDirty(dirty: boolean): void;
  handle: (handle: EditorHandle | null) => void;
}

/** Edits a text file of the folder. It never overwrites changes by others without showing them. */
export const Editor = ({ place, line, onDirty, handle }: EditorProps) => {
  const t = useT();
  const {
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
  } = useEditor(place, line, onDirty);
  useEffect(() => {
    handle({ save });
    return () => handle(null);
  }, [handle, save]);

  if (failed) return <Failed error={failed} onRetry={retry} />;
  return (
    <div className="flex h-full flex-col" data-own-find>
      {error && (
        <div className="shrink-0 border-b border-line p-2">
          <ErrorNote message={error.message} detail={error.detail} />
        </div>
      )}
      {isGone && (
        <div className="shrink-0 border-b border-line p-2">
          <ErrorNote tone="ask" message={t('files.deletedOnDisk')} />
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
      {!isReady && (
        <>
          <textarea ref={early} aria-label={nameOf(place.path)} className="sr-only" />
          <Skeleton lines={8} />
        </>
      )}
      <div ref={box} className={isComparing && theirs ? 'hidden' : 'min-h-0 grow'} />
    </div>
  );
};
