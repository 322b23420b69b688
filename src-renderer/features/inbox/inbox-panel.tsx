import type { WaitingDecision } from '@contract/activity';
import type { Approval } from '@contract/approvals';
import type { ApprovalId, ThreadId } from '@contract/ids';
import { ChevronDown, ChevronRight, Hand, Inbox, MessageSquareText, ShieldAlert, X } from 'lucide-react';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useFormats, useT } from '../../i18n';
import { awaitsInput, lastIn, useApp } from '../../link';
import {
  Badge,
  Button,
  cx,
  EmptyState,
  ExactText,
  IconButton,
  LoadFailed,
  moveAmong,
  Skeleton,
  useNow,
} from '../../ui';
import { WaitingCommands } from './commands';
import { useInbox } from './use-inbox';

/** Moves the focus from card to card. */
interface CardMoves {
  onStep(by: 1 | -1): void;
  onLeft(): void;
}

interface InboxPanelProps {
  /** The approval to show first; null means the oldest. */
  approvalId: ApprovalId | null;
  /** A plain description of what the call would do. */
  headingOf(approval: Approval, mount: string): string;
  /** Renders the decision card, the same as in the conversation. */
  renderCard(approval: Approval, mount: string, moves: CardMoves): ReactNode;
  onShowThread(threadId: ThreadId, approvalId: ApprovalId): void;
  onClose(): void;
}

/** All pending decisions of every project and thread; one is open at a time. */
export const InboxPanel = ({ approvalId, headingOf, renderCard, onShowThread, onClose }: InboxPanelProps) => {
  const t = useT();
  const { list: inbox, reload } = useInbox();
  const terminals = useApp((app) => app.terminals);
  const commands = useMemo(() => terminals.filter(awaitsInput), [terminals]);
  // Undefined: no choice yet; null: all are closed.
  const [chosen, setChosen] = useState<ApprovalId | null | undefined>(approvalId ?? undefined);
  const waiting = lastIn(inbox)?.value.waiting ?? [];
  const isThere = waiting.some(({ approval }) => approval.id === chosen);
  const open = chosen === null || isThere ? chosen : waiting[0]?.approval.id;
  // Focuses the open row, never a button that decides.
  const list = useRef<HTMLUListElement>(null);
  const isFilled = waiting.length > 0;
  useEffect(() => {
    if (isFilled) list.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
  }, [isFilled]);
  const moves = useCardMoves(list, (by) => {
    const next = waiting[waiting.findIndex(({ approval }) => approval.id === open) + by];
    if (next !== undefined) setChosen(next.approval.id);
    return next !== undefined;
  });
  return (
    <div data-inbox className="flex h-full min-h-0 flex-col">
      <div className="flex h-10 shrink-0 items-center gap-2 border-b border-line pr-2 pl-4">
        <h2 className="text-title font-semibold">{t('inbox.title')}</h2>
        {waiting.length > 0 && (
          <span role="status" className="text-small text-fg-3 tabular-nums">
            {t('inbox.count', { count: waiting.length })}
          </span>
        )}
        <span className="grow" />
        <IconButton label={t('ui.close')} icon={<X size={16} />} onClick={onClose} />
      </div>
      <WaitingCommands terminals={commands} onClose={onClose} />
      {inbox.phase === 'loading' && (
        <div className="p-4">
          <Skeleton lines={5} />
        </div>
      )}
      {inbox.phase === 'failed' && (
        <div className="p-4">
          <LoadFailed error={inbox.error} onRetry={reload} />
        </div>
      )}
      {inbox.phase === 'loaded' && waiting.length === 0 && commands.length === 0 && (
        <EmptyState icon={<Inbox size={32} />}>{t('inbox.empty')}</EmptyState>
      )}
      {waiting.length > 0 && (
        <ul
          ref={list}
          aria-label={t('inbox.title')}
          // The row above the card and the button below it.
          className="min-h-0 grow overflow-y-auto pb-4 [--card-beside:6.75rem] [container-type:size]"
          onKeyDown={(event) => moveAmong(event, '[data-decision]')}
        >
          {waiting.map((decision) => (
            <Item
              key={decision.approval.id}
              decision={decision}
              open={decision.approval.id === open}
              heading={headingOf}
              onToggle={() => setChosen(decision.approval.id === open ? null : decision.approval.id)}
              onShowThread={() => onShowThread(decision.approval.threadId, decision.approval.id)}
              card={(approval, mount) => renderCard(approval, mount, moves)}
            />
          ))}
        </ul>
      )}
    </div>
  );
};

/** The next card gets the focus if the previous one had it. `open`: opens the next or the previous row. */
function useCardMoves(list: RefObject<HTMLElement | null>, open: (by: 1 | -1) => boolean): CardMoves {
  const isDue = useRef(false);
  useLayoutEffect(() => {
    const card = isDue.current ? list.current?.querySelector<HTMLElement>('[data-approval]') : null;
    if (card == null) return;
    isDue.current = false;
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: 'nearest' });
  });
  return {
    onStep: (by) => {
      isDue.current = open(by);
    },
    onLeft: () => {
      isDue.current = true;
    },
  };
}

interface ItemProps {
  decision: WaitingDecision;
  open: boolean;
  heading(approval: Approval, mount: string): string;
  card(approval: Approval, mount: string): ReactNode;
  onToggle(): void;
  onShowThread(): void;
}

const risks = {
  low: { tone: 'neutral', word: 'approvals.riskLow' },
  medium: { tone: 'ask', word: 'approvals.riskMedium' },
  high: { tone: 'deny', word: 'approvals.riskHigh' },
} as const;

const Item = ({ decision, open, heading, card, onToggle, onShowThread }: ItemProps) => {
  const t = useT();
  const formats = useFormats();
  const now = useNow();
  const id = useId();
  const { approval, projectId, title } = decision;
  const project = useApp((app) => app.projects.find((one) => one.id === projectId));
  const mount = project?.mount ?? '';
  const place = t('inbox.where', { project: project?.name ?? '?', thread: title || t('sidebar.untitled') });
  const { tone, word } = risks[approval.risk];
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <li className={cx('border-b border-line', open && 'bg-sunken')}>
      <button
        type="button"
        data-decision
        aria-expanded={open}
        aria-controls={`${id}-card`}
        onClick={onToggle}
        className="flex w-full items-start gap-2 px-4 py-2 text-left -outline-offset-2 hover:bg-hover"
      >
        <Chevron aria-hidden size={14} className="mt-0.5 shrink-0 text-fg-3" />
        <Hand aria-hidden size={16} className="mt-0.5 shrink-0 text-ask-text" />
        <span className="flex min-w-0 grow flex-col">
          <span className="font-medium break-words">
            <ExactText text={heading(approval, mount)} oneLine />
          </span>
          {!open && (
            <span className="truncate font-mono text-code text-fg-2">
              <ExactText text={shortly(approval)} strict />
            </span>
          )}
          <span className="flex min-w-0 gap-x-2 text-small text-fg-3">
            <span className="min-w-0 truncate">{place}</span>
            {approval.agent !== undefined && (
              <span className="max-w-1/2 shrink-0 truncate">
                {t('inbox.subAgent', { agent: approval.agent })}
              </span>
            )}
            <span className="shrink-0" title={formats.moment(approval.at)}>
              {t('inbox.asked', { ago: formats.ago(approval.at, now) })}
            </span>
          </span>
        </span>
        {/* The open card already shows it. */}
        {!open && approval.preview.kind !== 'questions' && (
          <Badge
            tone={tone}
            icon={approval.risk === 'low' ? undefined : <ShieldAlert aria-hidden size={12} />}
          >
            {t(word)}
          </Badge>
        )}
      </button>
      <div id={`${id}-card`} hidden={!open} className="flex flex-col gap-2 px-4 pt-1 pb-3">
        {open && (
          <>
            {card(approval, mount)}
            <Button
              size="sm"
              variant="ghost"
              className="self-start"
              icon={<MessageSquareText size={14} />}
              onClick={onShowThread}
            >
              {t('inbox.showThread')}
            </Button>
          </>
        )}
      </div>
    </li>
  );
};

/** The first part of what would run, if the heading does not include it. */
const shortly = ({ preview }: Approval): string =>
  (preview.kind === 'command' || preview.kind === 'timeout'
    ? preview.command
    : preview.kind === 'questions'
      ? (preview.questions[0]?.question ?? '')
      : ''
  )
    .slice(0, 200)
    .replaceAll(/[ \t\n]+/g, ' ');
