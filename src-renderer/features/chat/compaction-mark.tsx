import type { Compaction } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { ChevronRight, FoldVertical, ScrollText, Undo2 } from 'lucide-react';
import { use, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { call, openFile, openLink, toast, useAnswer } from '../../link';
import { Button, cx, LoadFailed, Markdown, Skeleton, useBusy } from '../../ui';
import { PathProject } from './path-code';

interface CompactionMarkProps {
  threadId: ThreadId;
  compaction: Compaction;
  /** It is the last compaction in effect, so it can be undone. */
  isLast: boolean;
}

/** Where a summary replaced older messages for the model: the sizes before and after, the full summary, and undo. */
export const CompactionMark = ({ threadId, compaction, isLast }: CompactionMarkProps) => {
  const t = useT();
  const { number } = useFormats();
  const [open, setOpen] = useState(false);
  const [busy, during] = useBusy();
  const { archive, undone, summary } = compaction;
  const undo = async () => {
    const result = await during(call('thread.undoCompaction', { threadId, compactionId: compaction.id }));
    if (!result.ok) toast(result.error.message);
  };
  const sizes = t('chat.compactedSizes', {
    before: number(compaction.tokensBefore),
    after: number(compaction.tokensAfter),
  });
  return (
    <section aria-label={t('chat.compacted')} className="border-y border-line py-1 text-fg-2">
      <div className="flex min-h-7 flex-wrap items-center gap-1">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-7 min-w-0 grow items-center gap-2 rounded-control pr-1.5 text-left hover:bg-hover"
        >
          {open ? (
            <ChevronRight aria-hidden size={16} className="shrink-0 rotate-90 text-fg-3" />
          ) : (
            <FoldVertical aria-hidden size={16} className="shrink-0 text-fg-3" />
          )}
          <span className={cx('truncate', undone && 'text-fg-3 line-through')}>{t('chat.compacted')}</span>
          <span className="shrink-0 text-small text-fg-3 tabular-nums">
            {undone ? t('chat.compactionUndone') : sizes}
          </span>
        </button>
        {archive !== null && (
          <Button
            size="sm"
            variant="ghost"
            icon={<ScrollText aria-hidden size={14} />}
            onClick={() => openFile(archive)}
          >
            {t('chat.openArchive')}
          </Button>
        )}
        {isLast && (
          <Button
            size="sm"
            variant="ghost"
            busy={busy}
            title={t('chat.undoCompactionHint')}
            icon={<Undo2 aria-hidden size={14} />}
            onClick={() => void undo()}
          >
            {t('chat.undoCompaction')}
          </Button>
        )}
      </div>
      {open && (
        <div className="@container my-1 ml-2 border-l border-line pl-4">
          <p className="mb-1 text-small text-fg-3">{t('chat.compactedAbout')}</p>
          <div className={cx('grid gap-4', archive !== null && '@2xl:grid-cols-2')}>
            <section aria-label={t('chat.compactedSummary')} className="min-w-0">
              <Markdown text={summary} streaming={false} onOpenLink={openLink} />
            </section>
            {archive !== null && <Replaced threadId={threadId} archive={archive} />}
          </div>
        </div>
      )}
    </section>
  );
};

/** Lines of the replaced messages that are shown beside the summary; the file has all of them. */
const MAX_LINES = 2_000;

/** The messages that the summary replaced, to compare them with it. */
const Replaced = ({ threadId, archive }: { threadId: ThreadId; archive: string }) => {
  const t = useT();
  const projectId = use(PathProject)?.projectId;
  const page = { threadId, path: archive, offset: 0, limit: MAX_LINES };
  const { answer, reload } = useAnswer('files.read', projectId === undefined ? null : { projectId, ...page });
  return (
    <section
      aria-label={t('chat.compactedReplaced')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      className="max-h-96 min-w-0 overflow-y-auto rounded-control bg-sunken p-2"
    >
      <h4 className="mb-1 text-small text-fg-3">{t('chat.compactedReplaced')}</h4>
      {answer.phase === 'loading' && <Skeleton lines={4} />}
      {answer.phase === 'failed' && <LoadFailed error={answer.error} onRetry={reload} />}
      {answer.phase === 'loaded' && (
        <Markdown text={answer.value.lines.join('\n')} streaming={false} onOpenLink={openLink} />
      )}
    </section>
  );
};
