import type { Approval, Decision } from '@contract/conversation';
import type { AppError } from '@contract/result';
import { Hand, ShieldAlert } from 'lucide-react';
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useSaid, useT } from '../../i18n';
import { call } from '../../link';
import { Badge, Button, ErrorNote, ExactText, exactPieces, Kbd } from '../../ui';
import { AlwaysForm } from './always-form';
import { AnswerForm, type AnswerMode } from './answer-form';
import { ChangedSinceView } from './changed-since';
import { headingOf } from './heading';
import { OutcomeRows } from './outcome-rows';
import { PreviewView } from './preview-view';
import { useArmed } from './use-armed';

interface ApprovalCardProps {
  approval: Approval;
  /** 0-based place among the calls that wait. */
  index: number;
  total: number;
  /** The project folder as the agent's tools name it. */
  mount: string;
  mac: boolean;
  /** Rejects every call that waits. */
  onRejectAll(): Promise<AppError | undefined>;
  /** It is decided, or asks no more, and had the focus. Called while it still stands there. */
  onLeft?(): void;
}

const risks = {
  low: 'approvals.riskLow',
  medium: 'approvals.riskMedium',
  high: 'approvals.riskHigh',
} as const;

/** Puts the focus on a call that waits, the first where none is named, from anywhere. False where it is not shown. */
export function focusApproval(id?: string): boolean {
  const wanted = id === undefined ? '[data-approval]' : `[data-approval="${CSS.escape(id)}"]`;
  const card = document.querySelector<HTMLElement>(wanted);
  card?.scrollIntoView({ block: 'center' });
  card?.focus();
  return card !== null;
}

/**
 * One call that waits, in the place where it stands. Not modal. Nothing here is chosen beforehand: the card itself takes
 * the focus, never "Allow", and for a moment after it appears or moves it takes no decision.
 */
export const ApprovalCard = (props: ApprovalCardProps) => {
  const { approval, index, total, mount, mac, onRejectAll, onLeft } = props;
  const t = useT();
  const said = useSaid();
  const id = useId();
  const [mode, setMode] = useState<AnswerMode | 'always' | 'ask'>('ask');
  const [busy, setBusy] = useState<Decision['type'] | 'all'>();
  const [error, setError] = useState<AppError>();
  const card = useRef<HTMLDivElement>(null);
  const armed = useArmed(`${approval.id}/${approval.digest}/${index}/${total}`, card);
  // A command is allowed only once its end was in sight.
  const [seen, setSeen] = useState<string>();
  const { digest: shown } = approval;
  const onSeen = useCallback(() => setSeen(shown), [shown]);
  const ready = armed && (approval.preview.kind !== 'command' || seen === shown);
  useWhenLeft(card, onLeft);

  const decide = async (decision: Decision) => {
    if (!armed || busy !== undefined || (decision.type === 'approve' && !ready)) return;
    setBusy(decision.type);
    setError(undefined);
    const { threadId, id: approvalId, digest } = approval;
    const result = await call('thread.decide', { threadId, approvalId, digest, decision });
    setBusy(undefined);
    if (!result.ok) setError(result.error);
  };
  const rejectAll = async () => {
    if (!armed || busy !== undefined) return;
    setBusy('all');
    setError(await onRejectAll());
    setBusy(undefined);
  };
  const show = (next: AnswerMode | 'always' | 'ask') => {
    setMode(next);
    // The button that was pressed goes; a form takes the focus further to its field.
    card.current?.focus();
  };
  const open = (next: AnswerMode | 'always') => {
    // A rule that is saved allows the call as well.
    if (next === 'always' ? ready : armed) show(next);
  };
  const back = () => show('ask');

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.repeat) return;
    if (event.key === 'Escape' && mode !== 'ask') {
      event.preventDefault();
      back();
    }
    const mod = mac ? event.metaKey : event.ctrlKey;
    if (event.key === 'Enter' && mod && mode === 'ask' && approval.allowed.includes('approve')) {
      event.preventDefault();
      void decide({ type: 'approve' });
    }
  };

  const hidden =
    approval.preview.kind === 'command' && exactPieces(approval.preview.command, true).some((p) => p.hidden);
  return (
    <div
      ref={card}
      role="dialog"
      aria-modal="false"
      aria-labelledby={`${id}-heading`}
      aria-describedby={`${id}-reason`}
      tabIndex={-1}
      data-approval={approval.id}
      onKeyDown={onKeyDown}
      // Seen also after keys with Ctrl, which the browser does not count among those that ask to see the focus.
      className="overflow-hidden rounded-card border-2 border-ask bg-raised focus:outline-2 focus:outline-offset-2 focus:outline-accent"
    >
      <Head card={props} id={`${id}-heading`} />
      <div className="border-t border-line">
        {approval.changed !== undefined && <ChangedSinceView changed={approval.changed} mount={mount} />}
        <PreviewView preview={approval.preview} mount={mount} onSeen={onSeen} />
        {approval.outcome !== undefined && <OutcomeRows approval={approval} outcome={approval.outcome} />}
      </div>
      <div className="flex flex-col gap-1.5 border-t border-line px-3 py-2 text-fg-2 empty:hidden [@container(max-height:20rem)]:py-1">
        <p id={`${id}-reason`}>
          <span className="sr-only">{t(risks[approval.risk])}. </span>
          <ExactText text={said(approval.reason)} />
        </p>
        {hidden && <p className="text-small text-deny">{t('approvals.hiddenMarked')}</p>}
        {armed && !ready && <p className="text-small text-ask-text">{t('approvals.scrollFirst')}</p>}
        {approval.agent !== undefined && (
          <p className="text-small text-fg-3">{t('approvals.askedBy', { agent: approval.agent })}</p>
        )}
        {error && <ErrorNote message={error.message} detail={error.detail} />}
      </div>
      {mode === 'ask' ? (
        <Choices
          card={props}
          busy={busy}
          armed={armed}
          ready={ready}
          onOpen={open}
          onRejectAll={() => void rejectAll()}
          onAllow={() => void decide({ type: 'approve' })}
        />
      ) : mode === 'always' ? (
        <AlwaysForm
          approval={approval}
          busy={busy !== undefined}
          onSaved={() => void decide({ type: 'approve' })}
          onBack={back}
        />
      ) : (
        <AnswerForm
          mode={mode}
          approval={approval}
          busy={busy !== undefined}
          onDecide={(decision) => void decide(decision)}
          onBack={back}
        />
      )}
    </div>
  );
};

/** What the call does, how risky it is, and its place among those that wait. */
const Head = ({ card, id }: { card: ApprovalCardProps; id: string }) => {
  const { approval, index, total, mount } = card;
  const t = useT();
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2 [@container(max-height:20rem)]:py-1">
      {/* A name longer than the line is broken beside the hand, not below it. */}
      <div className="flex max-w-full min-w-0 items-start gap-2">
        <Hand aria-hidden size={16} className="mt-0.75 shrink-0 text-ask-text" />
        <h3 id={id} className="min-w-0 text-read font-semibold break-all">
          {headingOf(approval, mount, t)}
        </h3>
      </div>
      {approval.preview.kind === 'diff' && (
        <span className="font-mono text-small tabular-nums">
          <span className="text-ok">+{approval.preview.added}</span>{' '}
          <span className="text-deny">−{approval.preview.removed}</span>
        </span>
      )}
      <span className="grow" />
      {approval.risk !== 'low' && (
        <Badge tone={approval.risk === 'high' ? 'deny' : 'ask'} icon={<ShieldAlert aria-hidden size={12} />}>
          {approval.risk === 'high' ? t('approvals.riskHigh') : t('approvals.riskMedium')}
        </Badge>
      )}
      {approval.risk === 'low' && <Badge>{t('approvals.riskLow')}</Badge>}
      {total > 1 && (
        <span className="text-small text-fg-3 tabular-nums">
          <span aria-hidden>{t('approvals.position', { index: index + 1, count: total })}</span>
          <span className="sr-only">{t('approvals.positionLabel', { index: index + 1, count: total })}</span>
        </span>
      )}
    </div>
  );
};

interface ChoicesProps {
  card: ApprovalCardProps;
  busy: Decision['type'] | 'all' | undefined;
  /** It takes decisions. */
  armed: boolean;
  /** It can be allowed. */
  ready: boolean;
  onOpen(mode: AnswerMode | 'always'): void;
  onRejectAll(): void;
  onAllow(): void;
}

/** The buttons of the card. */
const Choices = ({ card, busy, armed, ready, onOpen, onRejectAll, onAllow }: ChoicesProps) => {
  const { approval, index, total, mac } = card;
  const t = useT();
  const may = (type: Decision['type']) => approval.allowed.includes(type);
  return (
    <footer
      aria-busy={!armed}
      className="flex flex-wrap items-center justify-end gap-2 px-3 pb-3 [@container(max-height:20rem)]:pb-1.5"
    >
      {total > 1 && index === 0 && (
        <Button variant="ghost" className="mr-auto" busy={busy === 'all'} onClick={onRejectAll}>
          {t('approvals.rejectAll', { count: total })}
        </Button>
      )}
      {may('reject') && <Button onClick={() => onOpen('reject')}>{t('approvals.reject')}</Button>}
      {may('respond') && (
        <Button variant="ghost" onClick={() => onOpen('respond')}>
          {t('approvals.respond')}
        </Button>
      )}
      {may('approve') && approval.preview.kind !== 'problem' && (
        <Button variant="ghost" onClick={() => onOpen('always')}>
          {t('approvals.always')}
        </Button>
      )}
      {may('edit') && (
        <Button variant="ghost" onClick={() => onOpen('edit')}>
          {t('approvals.editCall')}
        </Button>
      )}
      {may('approve') && (
        <Button variant="primary" aria-disabled={!ready} busy={busy === 'approve'} onClick={onAllow}>
          {t('approvals.allow')}
          <Kbd onAccent>{mac ? '⌘↵' : 'Ctrl ↵'}</Kbd>
        </Button>
      )}
    </footer>
  );
};

/** Tells that an element goes with the focus in it, which would else fall to the page. */
function useWhenLeft(element: RefObject<HTMLElement | null>, onLeft: (() => void) | undefined): void {
  const told = useRef(onLeft);
  told.current = onLeft;
  useLayoutEffect(() => {
    const shown = element.current;
    return () => {
      if (shown?.contains(document.activeElement) === true) told.current?.();
    };
  }, [element]);
}
