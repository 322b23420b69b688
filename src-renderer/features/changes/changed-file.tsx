import type { DiffHunk } from '@contract/approvals';
import type { ChangeStep } from '@contract/changes';
import type { Output } from '@contract/commands';
import type { MessageId, ThreadId } from '@contract/ids';
import { ArrowLeft, Columns2, FileText, Undo2 } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import {
  Button,
  Diff,
  ExactText,
  IconButton,
  LoadFailed,
  PathName,
  Skeleton,
  useBusy,
  useFocusIfLost,
} from '../../ui';
import { revertChanges } from './revert';
import { useAuthor } from './use-author';
import { useFileChanges } from './use-changes';

interface ChangedFileProps {
  threadId: ThreadId;
  path: string;
  /** Shows only changes after this message. */
  since: MessageId | undefined;
  onBack(): void;
  onOpenFile(): void;
}

/** One file: its changed parts, each with a button to revert it, and who changed it when. */
export const ChangedFileView = ({ threadId, path, since, onBack, onOpenFile }: ChangedFileProps) => {
  const t = useT();
  const { answer, reload } = useFileChanges(threadId, path, since);
  const [busy, during] = useBusy();
  const box = useRef<HTMLDivElement>(null);
  const back = useFocusIfLost<HTMLButtonElement>();
  const [isSplit, setSplit] = useSplit(box);
  const revert = async (scope: Parameters<typeof revertChanges>[1]) => {
    await during(revertChanges(threadId, scope, t));
    reload();
  };
  return (
    <div ref={box} className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-1 border-b border-line px-1.5 py-1">
        <IconButton ref={back} label={t('changes.back')} icon={<ArrowLeft size={16} />} onClick={onBack} />
        <h2 className="flex min-w-0 grow font-medium" title={path}>
          <PathName path={path} />
        </h2>
        <IconButton
          label={t('changes.sideBySide')}
          pressed={isSplit}
          icon={<Columns2 size={16} />}
          onClick={() => setSplit(!isSplit)}
        />
        <IconButton label={t('changes.openFile')} icon={<FileText size={16} />} onClick={onOpenFile} />
        <Button
          size="sm"
          busy={busy}
          disabled={answer.phase === 'loaded' && answer.value.moved !== null}
          icon={<Undo2 size={14} />}
          onClick={() => void revert({ kind: 'file', path, since })}
        >
          {t('changes.revertFile')}
        </Button>
      </div>
      <div className="min-h-0 grow overflow-y-auto">
        {answer.phase === 'loading' && <Skeleton lines={8} />}
        {answer.phase === 'failed' && (
          <div className="p-3">
            <LoadFailed error={answer.error} onRetry={reload} />
          </div>
        )}
        {answer.phase === 'loaded' && (
          <>
            <Parts
              file={answer.value}
              path={path}
              busy={busy}
              split={isSplit}
              onRevert={(hunk, digest) => void revert({ kind: 'hunk', path, hunk, digest, since })}
            />
            <Timeline steps={answer.value.timeline} />
          </>
        )}
      </div>
    </div>
  );
};

const words = {
  binary: 'changes.binary',
  too_large: 'changes.tooLarge',
  lost: 'changes.lostText',
  link: 'changes.link',
  same: 'changes.same',
} as const;

/** With more parts than this, they are drawn without syntax colors. */
const COLORED = 30;

const Parts = ({
  file,
  path,
  busy,
  split,
  onRevert,
}: {
  file: Output<'changes.file'>;
  path: string;
  busy: boolean;
  split: boolean;
  onRevert(hunk: number, digest: string): void;
}) => {
  const t = useT();
  const isDocument = file.kind === 'document';
  if (file.moved !== null)
    return <p className="p-3 text-fg-2">{t('changes.movedText', { path: file.moved })}</p>;
  if (file.kind !== 'text' && file.kind !== 'document')
    return <p className="p-3 text-fg-2">{t(words[file.kind])}</p>;
  const total = file.hunks.length;
  return (
    <>
      {isDocument && (
        <p className="border-b border-line px-3 py-1.5 text-small text-fg-2">
          {t(file.hunks.length === 0 ? 'changes.documentSame' : 'changes.document')}
        </p>
      )}
      {file.hunks.map((hunk, index) => (
        <section
          key={`${hunk.oldStart}-${hunk.newStart}`}
          aria-label={t('changes.part', { index: index + 1, total })}
        >
          <div className="flex items-center gap-2 border-b border-line px-3 py-1">
            <span className="min-w-0 grow text-small text-fg-3 tabular-nums">
              {t('changes.lines', linesOf(hunk))}
            </span>
            {!isDocument && (
              <Button size="sm" variant="ghost" disabled={busy} onClick={() => onRevert(index, file.digest)}>
                {t('changes.revertHunk')}
              </Button>
            )}
          </div>
          <Diff
            hunks={[hunk]}
            above={file.hunks[index - 1]}
            label={t('changes.diff', { path })}
            split={split}
            {...(total <= COLORED ? { file: path } : {})}
          />
        </section>
      ))}
      {file.cut && (
        <p className="border-t border-line px-3 py-1.5 text-small text-ask-text">{t('changes.cut')}</p>
      )}
    </>
  );
};

/** From this width in pixels, old and new are shown side by side, unless the person chooses otherwise. */
const SPLIT_FROM = 640;
/** The person's choice for as long as the window is open; undefined means whatever fits. */
let wanted: boolean | undefined;

function useSplit(box: RefObject<HTMLElement | null>): [boolean, (split: boolean) => void] {
  const [fits, setFits] = useState(false);
  const [chosen, setChosen] = useState(wanted);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setFits(element.clientWidth >= SPLIT_FROM);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [box]);
  const change = (split: boolean) => {
    wanted = split;
    setChosen(split);
  };
  return [chosen ?? fits, change];
}

/** The lines that the hunk shows: of the file as it is now, unless nothing is left of them. */
const linesOf = ({ oldStart, oldLines, newStart, newLines }: DiffHunk) =>
  newLines > 0
    ? { from: newStart, to: newStart + newLines - 1 }
    : { from: oldStart, to: Math.max(oldStart, oldStart + oldLines - 1) };

const Timeline = ({ steps }: { steps: readonly ChangeStep[] }) => {
  const t = useT();
  const { ago, moment } = useFormats();
  const author = useAuthor();
  if (steps.length === 0) return null;
  return (
    <section aria-label={t('changes.timeline')} className="border-t border-line px-3 py-2.5">
      <h3 className="mb-1 text-small font-medium text-fg-2">{t('changes.timeline')}</h3>
      <ol className="flex flex-col gap-1">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a step
          <li key={index} className="flex min-w-0 items-baseline gap-2">
            <span className="min-w-0 grow break-words">
              <ExactText text={author(step.author)} />
            </span>
            <span className="shrink-0 text-small text-fg-3">{t(`changes.${step.change}`)}</span>
            <time className="shrink-0 text-small text-fg-3" title={moment(step.at)}>
              {ago(step.at, Date.now())}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
};
