import type { Approval } from '@contract/approvals';
import type { ErrorInWords } from '@contract/result';
import { Check, ChevronLeft, ChevronRight, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { call } from '../../link';
import { Button, cx, ErrorNote, IconButton, useFocusBack } from '../../ui';
import { noteAllowed } from './allowed-calls';
import { ApprovalCard } from './approval-card';
import { dropHeldEnter } from './drop-held-enter';
import { onShow } from './focus-approval';
import { headingOf } from './heading';
import { RiskShape, riskNames } from './risk-mark';
import { useArmed } from './use-armed';

interface ApprovalDeckProps {
  /** All pending calls of the thread, in order; at least one. */
  approvals: readonly Approval[];
  mount: string;
  mac: boolean;
  /** A card is removed with the focus in it. */
  onLeft(): void;
}

/** Maximum number of marks drawn. */
const MAX_MARKS = 12;

/** Decides on calls one by one; stops at the first failure. */
async function decideAll(
  approvals: readonly Approval[],
  type: 'approve' | 'reject',
): Promise<ErrorInWords | undefined> {
  for (const approval of approvals) {
    const { id, digest, threadId } = approval;
    const result = await call('thread.decide', { threadId, approvalId: id, digest, decision: { type } });
    if (!result.ok) return result.error;
    if (type === 'approve') noteAllowed(approval);
  }
  return undefined;
}

/** Several pending calls, one card at a time, with buttons that decide on several of them. */
export const ApprovalDeck = ({ approvals, mount, mac, onLeft }: ApprovalDeckProps) => {
  const t = useT();
  const { at, show, settle } = useShown(approvals);
  const shown = approvals[at];
  const deck = useRef<HTMLElement>(null);
  const stepped = useRef(false);
  const step = (by: 1 | -1) => {
    const next = approvals[at + by];
    if (next === undefined) return;
    stepped.current =
      deck.current?.querySelector('[data-approval]')?.contains(document.activeElement) === true;
    show(next.id);
  };
  // The next card gets the focus if the previous one had it.
  useLayoutEffect(() => {
    if (!stepped.current) return;
    stepped.current = false;
    deck.current?.querySelector<HTMLElement>('[data-approval]')?.focus({ preventScroll: true });
  });
  if (shown === undefined) return null;
  const count = approvals.length;
  return (
    <section
      ref={deck}
      aria-label={t('approvals.deck')}
      className="flex min-h-0 flex-col gap-1.5"
      onFocusCapture={settle}
      onPointerDownCapture={settle}
      onKeyDownCapture={settle}
      onWheelCapture={settle}
    >
      <div className="flex shrink-0 flex-wrap items-center gap-x-1.5 gap-y-1">
        {count > 1 && <Place approvals={approvals} at={at} mount={mount} onShow={show} onStep={step} />}
        <span className="grow" />
        {count > 1 && <ForSeveral approvals={approvals} mount={mount} />}
      </div>
      <ApprovalCard
        key={shown.id}
        approval={shown}
        place={`${at}/${count}`}
        mount={mount}
        mac={mac}
        onStep={step}
        onLeft={onLeft}
      />
    </section>
  );
};

/**
 * The visible call: the selected one, otherwise the one that took its place. Calls of one step are judged at the same time
 * and may arrive in any order. So until the person has focused or used the deck (`settle`), the first call is shown.
 */
function useShown(approvals: readonly Approval[]) {
  const [chosen, setChosen] = useState({ id: approvals[0]?.id, at: 0 });
  const [isSettled, setSettled] = useState(false);
  const found = isSettled ? approvals.findIndex(({ id }) => id === chosen.id) : 0;
  const at = found === -1 ? Math.min(chosen.at, Math.max(0, approvals.length - 1)) : found;
  const id = approvals[at]?.id;
  const settle = () => setSettled(true);
  useEffect(() => {
    setChosen((before) => (before.id === id && before.at === at ? before : { id, at }));
  }, [id, at]);
  const show = (wanted: string) => {
    const next = approvals.findIndex((approval) => approval.id === wanted);
    if (next === -1) return false;
    setSettled(true);
    setChosen({ id: approvals[next]?.id, at: next });
    return true;
  };
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => onShow((wanted) => latest.current(wanted)), []);
  return { at, show, settle };
}

interface PlaceProps {
  approvals: readonly Approval[];
  at: number;
  mount: string;
  onShow(id: string): void;
  onStep(by: 1 | -1): void;
}

/** "1 of 5", a mark for each call by its risk, and navigation to the others. */
const Place = ({ approvals, at, mount, onShow, onStep }: PlaceProps) => {
  const t = useT();
  const count = approvals.length;
  const text = t('approvals.position', { index: at + 1, count });
  return (
    <>
      <IconButton
        size="sm"
        label={t('approvals.previous')}
        shortcut="P"
        disabled={at === 0}
        icon={<ChevronLeft size={16} />}
        onClick={() => onStep(-1)}
      />
      <span role="status" className="font-medium tabular-nums">
        <span aria-hidden>{text}</span>
        <span className="sr-only">{t('approvals.positionLabel', { index: at + 1, count })}</span>
      </span>
      <IconButton
        size="sm"
        label={t('approvals.next')}
        shortcut="N"
        disabled={at === count - 1}
        icon={<ChevronRight size={16} />}
        onClick={() => onStep(1)}
      />
      <span className="flex items-center gap-0.5">
        {approvals.slice(0, MAX_MARKS).map((approval, index) => (
          <button
            key={approval.id}
            type="button"
            aria-current={index === at}
            aria-label={t('approvals.mark', {
              heading: headingOf(approval, mount, t),
              risk: t(riskNames[approval.risk]),
            })}
            title={headingOf(approval, mount, t)}
            onClick={() => onShow(approval.id)}
            className={cx(
              'flex size-6 min-h-target min-w-target items-center justify-center rounded-control hover:bg-hover',
              index === at && 'bg-hover outline outline-line-strong',
            )}
          >
            <RiskShape risk={approval.risk} size={16} />
          </button>
        ))}
      </span>
    </>
  );
};

/** Decides on several calls with one button. Ignores clicks for a moment after any of them changed. */
const ForSeveral = ({ approvals, mount }: { approvals: readonly Approval[]; mount: string }) => {
  const t = useT();
  const bar = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState<'approve' | 'reject'>();
  const [error, setError] = useState<ErrorInWords>();
  const keepsFocus = useFocusBack(approvals.length);
  const armed = useArmed(approvals.map(({ id, digest }) => `${id} ${digest}`).join('\n'), bar);
  const low = approvals.filter(({ risk, allowed }) => risk === 'low' && allowed.includes('approve'));
  const decide = async (some: readonly Approval[], type: 'approve' | 'reject') => {
    if (!armed || busy !== undefined) return;
    setBusy(type);
    setError(await decideAll(some, type));
    setBusy(undefined);
  };
  return (
    <div
      ref={bar}
      {...keepsFocus}
      onKeyDownCapture={dropHeldEnter}
      // In the lowest place, the card needs the line. Each call can still be decided.
      className="flex flex-wrap items-center justify-end gap-1.5 [@container(max-height:15rem)]:hidden"
    >
      {low.length > 0 && (
        <Button
          size="sm"
          aria-disabled={!armed}
          title={low.map((approval) => headingOf(approval, mount, t)).join('\n')}
          busy={busy === 'approve'}
          icon={<Check aria-hidden size={14} />}
          onClick={() => void decide(low, 'approve')}
        >
          {t('approvals.allowLow', { count: low.length })}
        </Button>
      )}
      <Button
        size="sm"
        variant="danger"
        aria-disabled={!armed}
        busy={busy === 'reject'}
        icon={<X aria-hidden size={14} />}
        onClick={() => void decide(approvals, 'reject')}
      >
        {t('approvals.rejectAll', { count: approvals.length })}
      </Button>
      {error && <ErrorNote message={error.message} detail={error.detail} />}
    </div>
  );
};
