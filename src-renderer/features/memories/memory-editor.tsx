import { type Dispatch, useState } from 'react';
import { useT } from '../../i18n';
import { toastUndo } from '../../link';
import { Button, ErrorNote, Field, Input, Select, Textarea, useFocusIfLost } from '../../ui';
import { type Editor, type EditorAction, isTooLong, type MemoryText, memoryPath } from './editor';
import { useOpenMemory } from './use-memories';
import { nameOf } from './written-by';

interface MemoryEditorProps {
  editor: Extract<Editor, { phase: 'editing' | 'conflict' }>;
  dispatch: Dispatch<EditorAction>;
  onSave(draft: { path: string; text: string; base: MemoryText | null }): void;
}

/** Edits a memory as text, and resolves the conflict if someone else saved it. */
export const MemoryEditor = ({ editor, dispatch, onSave }: MemoryEditorProps) =>
  editor.phase === 'conflict' ? (
    <Conflict editor={editor} dispatch={dispatch} />
  ) : (
    <Draft editor={editor} dispatch={dispatch} onSave={onSave} />
  );

/** What is wrong with a name that is no path of a memory. */
const problemOf = (name: string) =>
  name.trim() === ''
    ? 'memories.nameMissing'
    : isTooLong(name)
      ? 'memories.nameLong'
      : 'memories.nameInvalid';

/** Begins the names of memories for everywhere. */
const SHARED = 'shared/';

interface DraftProps extends MemoryEditorProps {
  editor: Extract<Editor, { phase: 'editing' }>;
}

const Draft = ({ editor, dispatch, onSave }: DraftProps) => {
  const t = useT();
  const [isChecked, setChecked] = useState(false);
  const isNew = editor.base === null;
  const hasProject = useOpenMemory((state) => state.projectId !== null);
  const isForAll = isNew && editor.path.startsWith(SHARED);
  const name = isForAll ? editor.path.slice(SHARED.length) : editor.path;
  const path = isNew ? memoryPath(editor.path) : editor.path;
  const setName = (typed: string, forAll: boolean) =>
    dispatch({ type: 'pathTyped', path: forAll ? `${SHARED}${typed}` : typed });
  const save = () => {
    setChecked(true);
    if (path !== undefined && !editor.saving) onSave({ path, text: editor.draft, base: editor.base });
  };
  const cancel = () => {
    dispatch({ type: 'editStopped' });
    if (editor.draft === (editor.base?.text ?? '')) return;
    toastUndo(t('memories.draftLeft'), () => useOpenMemory.setState({ editor }));
  };
  return (
    <form
      aria-label={isNew ? t('memories.add') : nameOf(editor.path)}
      className="flex h-full min-h-0 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
      }}
    >
      <div className="flex min-h-0 grow flex-col gap-3 overflow-y-auto p-3">
        {editor.changedMeanwhile && <ErrorNote tone="ask" message={t('memories.changedMeanwhile')} />}
        {editor.error && <ErrorNote message={editor.error.message} detail={editor.error.detail} />}
        {isNew ? (
          <Field
            label={t('memories.name')}
            hint={t('memories.nameHint')}
            error={isChecked && path === undefined ? t(problemOf(name)) : undefined}
          >
            {(ids) => (
              <Input
                {...ids}
                autoFocus
                value={name}
                onChange={(event) => setName(event.target.value, isForAll)}
              />
            )}
          </Field>
        ) : (
          <h2 className="truncate font-medium" title={editor.path}>
            {nameOf(editor.path)}
          </h2>
        )}
        {isNew && hasProject && (
          <Field label={t('memories.scope')} hint={t('memories.scopeHint')}>
            {(ids) => (
              <Select
                {...ids}
                value={isForAll ? 'everywhere' : 'project'}
                onChange={(event) => setName(name, event.target.value === 'everywhere')}
                options={[
                  { value: 'project', label: t('memories.thisProject') },
                  { value: 'everywhere', label: t('memories.everywhere') },
                ]}
              />
            )}
          </Field>
        )}
        <Textarea
          aria-label={t('memories.text')}
          placeholder={t('memories.textPlaceholder')}
          className="min-h-40 grow resize-none"
          autoFocus={!isNew}
          value={editor.draft}
          onChange={(event) => dispatch({ type: 'typed', draft: event.target.value })}
        />
      </div>
      <footer className="flex shrink-0 justify-end gap-2 border-t border-line px-3 py-2">
        <Button variant="ghost" onClick={cancel}>
          {t('memories.cancel')}
        </Button>
        <Button variant="primary" type="submit" busy={editor.saving}>
          {t('memories.save')}
        </Button>
      </footer>
    </form>
  );
};

interface ConflictProps {
  editor: Extract<Editor, { phase: 'conflict' }>;
  dispatch: Dispatch<EditorAction>;
}

const Conflict = ({ editor, dispatch }: ConflictProps) => {
  const t = useT();
  const { theirs } = editor;
  const keep = useFocusIfLost<HTMLButtonElement>();
  /** A new memory got the name of another one. */
  const isTaken = editor.base === null && theirs !== null;
  const title = t(isTaken ? 'memories.nameTaken' : 'memories.conflictTitle');
  const changed = isTaken ? 'memories.nameTakenHint' : 'memories.conflict';
  return (
    <section aria-label={title} className="flex h-full min-h-0 flex-col">
      <div className="flex min-h-0 grow flex-col gap-3 overflow-y-auto p-3">
        <h2 className="font-semibold">{title}</h2>
        <p className="text-fg-2">{t(theirs === null ? 'memories.conflictDeleted' : changed)}</p>
        <Version label={t('memories.mine')} text={editor.draft} />
        {theirs !== null && <Version label={t('memories.theirs')} text={theirs.text} />}
      </div>
      <footer className="flex shrink-0 flex-wrap justify-end gap-2 border-t border-line px-3 py-2">
        {isTaken && (
          <Button variant="ghost" onClick={() => dispatch({ type: 'otherNameWanted' })}>
            {t('memories.otherName')}
          </Button>
        )}
        <Button onClick={() => dispatch({ type: 'theirsTaken' })}>
          {t(theirs === null ? 'memories.leaveDeleted' : 'memories.takeTheirs')}
        </Button>
        <Button ref={keep} variant="primary" onClick={() => dispatch({ type: 'mineKept' })}>
          {t('memories.keepMine')}
        </Button>
      </footer>
    </section>
  );
};

const Version = ({ label, text }: { label: string; text: string }) => (
  <figure className="flex shrink-0 flex-col gap-1">
    <figcaption className="text-small text-fg-2">{label}</figcaption>
    <pre className="max-h-60 overflow-auto rounded-card border border-line bg-sunken p-2.5 font-mono text-small break-words whitespace-pre-wrap">
      {text}
    </pre>
  </figure>
);
