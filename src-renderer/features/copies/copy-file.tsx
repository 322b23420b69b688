import type { Project } from '@contract/app';
import type { Output } from '@contract/commands';
import type { CopyConflictPart, CopySide } from '@contract/copies';
import type { ThreadId } from '@contract/ids';
import { ArrowLeft, FileText, FolderInput } from 'lucide-react';
import { useId } from 'react';
import { useT } from '../../i18n';
import { useLiveAnswer } from '../../link';
import {
  Button,
  cx,
  Diff,
  ExactText,
  IconButton,
  LoadFailed,
  Skeleton,
  useBusy,
  useFocusIfLost,
  useKept,
} from '../../ui';
import { bringIn } from './bring-in';
import { keptFor } from './kept-for';

interface CopyFileProps {
  project: Project;
  threadId: ThreadId;
  path: string;
  onBack(): void;
  onOpenFile(): void;
}

/** One file: what bringing it in changes, part by part, and the conflicts that need a choice. */
export const CopyFile = ({ project, threadId, path, onBack, onOpenFile }: CopyFileProps) => {
  const t = useT();
  const back = useFocusIfLost<HTMLButtonElement>();
  const { answer, reload } = useLiveAnswer('copies.file', { projectId: project.id, path });
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-1 border-b border-line px-1.5 py-1">
        <IconButton ref={back} label={t('changes.back')} icon={<ArrowLeft size={16} />} onClick={onBack} />
        <h2 className="min-w-0 grow truncate font-medium" title={path}>
          <ExactText text={path} oneLine />
        </h2>
        <IconButton label={t('changes.openFile')} icon={<FileText size={16} />} onClick={onOpenFile} />
      </div>
      {answer.phase === 'loading' && <Skeleton lines={8} />}
      {answer.phase === 'failed' && (
        <div className="p-3">
          <LoadFailed error={answer.error} onRetry={reload} />
        </div>
      )}
      {answer.phase === 'loaded' && (
        <Choices
          // The choices belong to exactly these versions.
          key={answer.value.digest}
          file={answer.value}
          owner={keptFor(project)}
          path={path}
          onBringIn={async (choice) => {
            const place = { projectId: project.id, threadId };
            const parts = { [path]: { digest: answer.value.digest, ...choice } };
            if (await bringIn(place, { paths: [path], parts }, t)) onBack();
          }}
        />
      )}
    </div>
  );
};

interface ChoicesProps {
  file: Output<'copies.file'>;
  /** Whose choices these are. */
  owner: string;
  path: string;
  onBringIn(choice: { hunks?: number[]; sides?: CopySide[] }): Promise<void>;
}

const words = {
  binary: 'copies.binary',
  too_large: 'changes.tooLarge',
  link: 'copies.link',
  same: 'changes.same',
} as const;

const Choices = ({ file, owner, path, onBringIn }: ChoicesProps) => {
  const t = useT();
  const [busy, during] = useBusy();
  const { kind, hunks, conflicts, isConflict } = file;
  const version = `${path} ${file.digest}`;
  const [sides, setSides] = useKept<(CopySide | undefined)[]>(owner, `${version} sides`, () => []);
  const [left, setLeft] = useKept<ReadonlySet<number>>(owner, `${version} left out`, () => new Set());
  const count = isConflict ? Math.max(1, conflicts.length) : 0;
  const answers = Array.from({ length: count }, (_, index) => sides[index]).filter(
    (one) => one !== undefined,
  );
  const chosen = hunks.map((_, index) => index).filter((index) => !left.has(index));
  const isReady = isConflict ? answers.length === count : kind !== 'text' || chosen.length > 0;
  const answer = (index: number, side: CopySide) =>
    setSides((before) => Array.from({ length: count }, (_, at) => (at === index ? side : before[at])));
  const toggle = (index: number) =>
    setLeft((before) => {
      const next = new Set(before);
      if (!next.delete(index)) next.add(index);
      return next;
    });
  const bring = () =>
    void during(onBringIn(isConflict ? { sides: answers } : left.size > 0 ? { hunks: chosen } : {}));
  return (
    <>
      <div className="min-h-0 grow overflow-y-auto">
        {isConflict && (
          <p className="border-b border-line px-3 py-2 text-small text-fg-2">{t('copies.conflictHint')}</p>
        )}
        {isConflict && conflicts.length === 0 && (
          <Sides index={0} count={1} value={sides[0]} whole onChange={(side) => answer(0, side)} />
        )}
        {conflicts.map((part, index) => (
          <ConflictPart
            key={`${part.line}-${part.copy}`}
            part={part}
            path={path}
            index={index}
            count={count}
            value={sides[index]}
            onChange={(side) => answer(index, side)}
          />
        ))}
        {kind === 'document' ? (
          <DocumentDiff hunks={hunks} path={path} />
        ) : (
          kind !== 'text' && <p className="p-3 text-fg-2">{t(words[kind])}</p>
        )}
        {!isConflict &&
          kind === 'text' &&
          hunks.map((hunk, index) => (
            <section
              key={`${hunk.oldStart}-${hunk.newStart}`}
              aria-label={t('changes.part', { index: index + 1, total: hunks.length })}
            >
              <label className="flex items-center gap-2 border-b border-line px-3 py-1 text-small text-fg-2">
                <input
                  type="checkbox"
                  disabled={file.cut || hunks.length === 1}
                  checked={!left.has(index)}
                  onChange={() => toggle(index)}
                />
                {t('changes.part', { index: index + 1, total: hunks.length })}
              </label>
              <Diff hunks={[hunk]} above={hunks[index - 1]} label={t('changes.diff', { path })} file={path} />
            </section>
          ))}
        {isConflict && conflicts.length > 0 && hunks.length > 0 && (
          <p className="border-y border-line px-3 py-2 text-small text-fg-2">{t('copies.conflictBeside')}</p>
        )}
        {isConflict && kind === 'text' && hunks.length > 0 && (
          <Diff hunks={hunks} label={t('changes.diff', { path })} file={path} />
        )}
        {file.cut && <p className="px-3 py-1.5 text-small text-ask-text">{t('changes.cut')}</p>}
      </div>
      <footer className="flex shrink-0 justify-end border-t border-line px-3 py-2">
        <Button
          variant="primary"
          busy={busy}
          disabled={!isReady}
          icon={<FolderInput aria-hidden size={14} />}
          onClick={bring}
        >
          {t('copies.bringInFile')}
        </Button>
      </footer>
    </>
  );
};

const DocumentDiff = ({ hunks, path }: { hunks: Output<'copies.file'>['hunks']; path: string }) => {
  const t = useT();
  return (
    <>
      <p className="border-b border-line px-3 py-1.5 text-small text-fg-2">
        {t(hunks.length === 0 ? 'copies.documentSame' : 'copies.document')}
      </p>
      {hunks.length > 0 && <Diff hunks={hunks} label={t('changes.diff', { path })} />}
    </>
  );
};

interface SidesProps {
  index: number;
  count: number;
  value: CopySide | undefined;
  /** The whole file conflicts. */
  whole?: boolean;
  onChange(side: CopySide): void;
}

const Sides = ({ index, count, value, whole = false, onChange }: SidesProps) => {
  const t = useT();
  const name = useId();
  const options = whole ? (['folder', 'copy'] as const) : (['folder', 'copy', 'both'] as const);
  const texts = { folder: 'copies.sideFolder', copy: 'copies.sideCopy', both: 'copies.sideBoth' } as const;
  // Which lines of the diff above are whose.
  const signs: Partial<Record<CopySide, string>> = whole ? {} : { folder: '-', copy: '+' };
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-1.5 text-small">
      <legend className="sr-only">{t('copies.conflictPart', { index: index + 1, total: count })}</legend>
      {options.map((side) => (
        <label key={side} className="flex items-center gap-1.5">
          <input type="radio" name={name} checked={value === side} onChange={() => onChange(side)} />
          {signs[side] !== undefined && (
            <span
              aria-hidden
              className={cx(
                'w-4 rounded-mark text-center font-mono text-code',
                side === 'folder' ? 'bg-del' : 'bg-add',
              )}
            >
              {signs[side]}
            </span>
          )}
          {t(texts[side])}
        </label>
      ))}
    </fieldset>
  );
};

const ConflictPart = ({ part, path, ...sides }: SidesProps & { part: CopyConflictPart; path: string }) => {
  const t = useT();
  const lines = (text: string, mark: string) =>
    (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => mark + line.replace(/\n$/, ''));
  const hunk = {
    oldStart: part.line,
    newStart: part.line,
    lines: [...lines(part.folder, '-'), ...lines(part.copy, '+')],
  };
  return (
    <section aria-label={t('copies.conflictPart', { index: sides.index + 1, total: sides.count })}>
      <Diff hunks={[hunk]} label={t('changes.diff', { path })} file={path} />
      <Sides {...sides} />
    </section>
  );
};
