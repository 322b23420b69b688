import type { SinceSeen } from '@contract/activity';
import type { ThreadState } from '@contract/conversation';
import { ChevronDown, ChevronRight, History, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { type Translate, useFormats, useT } from '../../i18n';
import { changedAt, openActivity, openFile } from '../../link';
import { ExactText, IconButton, useNow } from '../../ui';
import { useSince } from './use-since';

interface SinceStripProps {
  thread: ThreadState;
  /** The project folder as the agent's tools name it. */
  mount: string;
  /** Shows the first pending decision. */
  onShowWaiting(): void;
}

/** What happened in a thread while the person was away: one unobtrusive line that expands, until it is dismissed. */
export const SinceStrip = ({ thread, mount, onShowWaiting }: SinceStripProps) => {
  const t = useT();
  const formats = useFormats();
  const id = useId();
  const now = useNow();
  const { since, dismiss } = useSince(thread.thread.id, thread.seq);
  const [open, setOpen] = useState(false);
  if (since === null || isNothing(since)) return null;
  const Chevron = open ? ChevronDown : ChevronRight;
  const hasDetails = since.files.length > 0 || since.commands.failed.length > 0 || since.memories.length > 0;
  const facts = factsOf(since, t, formats.money);
  return (
    <section aria-label={t('since.label')} className="shrink-0 border-b border-line bg-sunken">
      <div className="flex min-h-8 items-center gap-2 px-4 py-1">
        {hasDetails ? (
          <IconButton
            size="sm"
            label={t('since.details')}
            aria-expanded={open}
            aria-controls={`${id}-details`}
            icon={<Chevron size={14} />}
            onClick={() => setOpen(!open)}
          />
        ) : (
          <History aria-hidden size={14} className="mx-1 shrink-0 text-fg-3" />
        )}
        <p className="flex min-w-0 grow flex-wrap items-baseline gap-x-2 text-small text-fg-2">
          <span className="font-medium" title={formats.moment(since.at)}>
            {t('since.heading', { ago: formats.ago(since.at, now) })}
          </span>
          {facts.map((fact) => (
            <span key={fact} className="tabular-nums">
              {fact}
            </span>
          ))}
          {since.commands.failedCount > 0 && (
            <span className="font-medium text-deny tabular-nums">
              {t('since.failed', { count: since.commands.failedCount })}
            </span>
          )}
          {since.autoApproved > 0 && (
            <Link onClick={() => openActivity({ threadId: thread.thread.id })}>
              {t('since.autoApproved', { count: since.autoApproved })}
            </Link>
          )}
          {thread.approvals.length > 0 && (
            <Link tone="ask" onClick={onShowWaiting}>
              {t('since.waiting', { count: thread.approvals.length })}
            </Link>
          )}
        </p>
        <IconButton size="sm" label={t('ui.close')} icon={<X size={14} />} onClick={dismiss} />
      </div>
      {open && (
        <div id={`${id}-details`} className="max-h-48 overflow-y-auto px-4 pb-2 pl-11 text-small">
          <Details since={since} mount={mount} />
        </div>
      )}
    </section>
  );
};

const Details = ({
  since: { files, more, commands, memories },
  mount,
}: {
  since: SinceSeen;
  mount: string;
}) => {
  const t = useT();
  const words = { added: t('since.fileAdded'), removed: t('since.fileRemoved') } as const;
  const memoryWords = {
    created: 'since.memoryCreated',
    changed: 'since.memoryChanged',
    deleted: 'since.memoryDeleted',
  } as const;
  return (
    <ul className="flex flex-col gap-0.5">
      {files.map(({ path, change }) => (
        <li key={`file ${path}`} className="flex min-w-0 items-baseline gap-2">
          {change === 'removed' ? (
            <span className="min-w-0 truncate">
              <ExactText text={path} oneLine />
            </span>
          ) : (
            <Link onClick={() => openFile(changedAt(path, mount))}>
              <ExactText text={path} oneLine />
            </Link>
          )}
          <span className="text-fg-3">
            {change === 'added' || change === 'removed' ? words[change] : t('since.fileChanged')}
          </span>
        </li>
      ))}
      {more > 0 && <li className="text-fg-3">{t('since.more', { count: more })}</li>}
      {commands.failed.map(({ callId, text, exitCode }) => (
        <li key={callId} className="flex min-w-0 items-baseline gap-2">
          <code className="min-w-0 truncate font-mono">
            <ExactText text={text} strict />
          </code>
          <span className="shrink-0 text-deny">
            {exitCode === null ? t('since.cutOff') : t('since.exit', { code: exitCode })}
          </span>
        </li>
      ))}
      {memories.map(({ path, change }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same memory may be written twice
        <li key={`memory ${index}`}>{t(memoryWords[change], { path })}</li>
      ))}
    </ul>
  );
};

const Link = ({ tone, onClick, children }: { tone?: 'ask'; onClick(): void; children: ReactNode }) => (
  <button
    type="button"
    onClick={onClick}
    className={`min-w-0 truncate rounded-mark hover:underline ${tone === 'ask' ? 'font-medium text-ask-text' : 'text-accent'}`}
  >
    {children}
  </button>
);

function factsOf(
  { files, more, commands, memories, costMicroDollars, unpriced }: SinceSeen,
  t: Translate,
  money: (microDollars: number) => string,
): string[] {
  const facts: string[] = [];
  if (files.length > 0) facts.push(t('since.files', { count: files.length + more }));
  if (commands.run > 0) facts.push(t('since.commands', { count: commands.run }));
  if (memories.length > 0) facts.push(t('since.memories', { count: memories.length }));
  if (costMicroDollars > 0) facts.push(t('since.cost', { cost: money(costMicroDollars) }));
  if (unpriced > 0 && costMicroDollars > 0) facts.push(t('since.unpriced'));
  return facts;
}

/** Text alone is visible in the conversation. */
const isNothing = ({
  files,
  commands,
  memories,
  autoApproved,
  costMicroDollars,
  waiting,
}: SinceSeen): boolean =>
  files.length + commands.run + memories.length + autoApproved + costMicroDollars + waiting === 0;
