import type { Approval, Decision } from '@contract/approvals';
import type { Reason } from '@contract/shared/reasons';
import { Hand } from 'lucide-react';
import { type Ref, useId, useRef, useState } from 'react';
import { useReasons, useT } from '../../i18n';
import { cx, ErrorNote, ExactText, exactPieces, LineCounts } from '../../ui';
import type { ApprovalCardProps } from './approval-card-props';
import { CARD, CARD_BODY, CARD_FORM } from './card-classes';
import { ChangedSinceView } from './changed-since';
import { CommandText, ScriptsBehind } from './command-view';
import { decisionKeys } from './decision-keys';
import { dropHeldEnter } from './drop-held-enter';
import { addressOf, headingOf } from './heading';
import { decisionWithRule, OutcomeChoices } from './outcome/outcome-choices';
import { type OutcomeSelection, useOutcomeSelection } from './outcome/outcome-selection';
import { OutcomeView } from './outcome/outcome-view';
import { PreviewView } from './preview-view';
import { AnswerForm, type AnswerMode } from './questions/answer-form';
import { Choices } from './questions/choices';
import { QuestionCard } from './questions/question-card';
import { QuestionForm } from './questions/question-form';
import { RiskBadge, riskNames } from './risk-mark';
import { AlwaysForm } from './rules/always-form';
import { useArmed } from './use-armed';
import { useCardKeys } from './use-card-keys';
import { useDecision, useWhenLeft } from './use-decision';
import { useKeptInView } from './use-kept-in-view';
import { useSeenEnd } from './use-seen-end';

type Mode = AnswerMode | 'always' | 'ask';

/** One pending call. */
export const ApprovalCard = (props: ApprovalCardProps) => {
  const { preview } = props.approval;
  return preview.kind === 'questions' ? (
    <QuestionCard {...props} questions={preview.questions} />
  ) : (
    <CallCard {...props} />
  );
};

/**
 * A call that needs a decision. Not modal. Nothing is preselected: the card itself takes the focus, never "Allow". For a moment after it
 * appears or moves, it takes no decision. Heading and buttons stay visible; the content between them scrolls.
 */
const CallCard = (props: ApprovalCardProps) => {
  const { approval, mac, place = '', keepsEscape = false, onStep, onLeft } = props;
  const t = useT();
  const id = useId();
  const [mode, setMode] = useState<Mode>('ask');
  const [hint, setHint] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLDivElement>(null);
  const armed = useArmed(`${approval.id}/${approval.digest}/${place}`, card);
  const { seen, isLong, onSeen } = useSeenEnd({ heading, body, card }, approval);
  const ready = armed && seen;
  /** The content did not fit and had to be scrolled. */
  const late = useRef(false);
  if (armed && !seen) late.current = true;
  const selection = useOutcomeSelection(approval);
  useWhenLeft(card, onLeft);
  useKeptInView(card);

  const { decide, alwaysInRoutine, busy, error } = useDecision(approval, armed, ready);
  const show = (next: Mode) => {
    setMode(next);
    // The pressed button disappears; a form moves the focus on to its field.
    card.current?.focus();
  };
  const open = (next: AnswerMode | 'always') => {
    // Saving a rule allows the call as well.
    if (next === 'always' ? ready : armed) show(next);
  };
  const back = () => show('ask');

  const isHighRisk = approval.risk === 'high';
  const onKeyDown = useCardKeys({
    card,
    body,
    mac,
    isHighRisk,
    onPlainEnter: () => setHint(true),
    actions: {
      ...decisionKeys({ approval, selection, keepsEscape, decide, open }),
      step: onStep,
      back: mode === 'ask' ? undefined : back,
    },
  });

  return (
    <div
      ref={card}
      role="dialog"
      aria-modal="false"
      aria-labelledby={`${id}-heading`}
      aria-describedby={`${id}-reason`}
      tabIndex={-1}
      data-approval={approval.id}
      data-risk={approval.risk}
      onKeyDownCapture={dropHeldEnter}
      onKeyDown={onKeyDown}
      // Also visible after keys with Ctrl, which do not trigger the browser's :focus-visible.
      className={cx(CARD, isHighRisk ? 'border-deny' : 'border-ask')}
    >
      <Head ref={heading} card={props} id={`${id}-heading`} isLong={isLong} hint={hint && mode === 'ask'} />
      <Details ref={body} card={props} selection={selection} reasonId={`${id}-reason`} onSeen={onSeen} />
      {late.current && (
        // Its line is always there: a card that moves takes no key.
        <p
          aria-hidden={seen}
          className={cx(
            'shrink-0 px-3 pt-1.5 text-small text-ask-text [@container(max-height:15rem)]:sr-only [@container(max-height:20rem)]:pt-0',
            seen && 'invisible',
          )}
        >
          {t('approvals.scrollFirst')}
        </p>
      )}
      {error && (
        <div className="shrink-0 px-3 pt-2">
          <ErrorNote message={error.message} detail={error.detail} />
        </div>
      )}
      <Answers
        {...{ approval, mac, keepsEscape, selection, busy, armed, ready, mode, decide, open, back }}
        onAlwaysInRoutine={alwaysInRoutine}
      />
    </div>
  );
};

interface AnswersProps {
  approval: Approval;
  mac: boolean;
  keepsEscape: boolean;
  selection: OutcomeSelection | undefined;
  busy: Decision['type'] | undefined;
  armed: boolean;
  ready: boolean;
  mode: Mode;
  decide(decision: Decision): void;
  open(mode: AnswerMode | 'always'): void;
  back(): void;
  onAlwaysInRoutine(): void;
}

/** The buttons, or the form that one of them opened. */
const Answers = ({ mode, selection, decide, open, back, onAlwaysInRoutine, ...bar }: AnswersProps) => {
  const { approval, busy } = bar;
  const { outcome } = approval;
  if (approval.preview.kind === 'form')
    return (
      <QuestionForm
        approval={approval}
        question={approval.preview}
        armed={bar.armed}
        busy={busy}
        onDecide={decide}
      />
    );
  if (mode === 'ask' && outcome !== undefined && selection !== undefined)
    return (
      <OutcomeChoices
        {...bar}
        outcome={outcome}
        selection={selection}
        onDiscardWhy={() => open('reject')}
        onAlways={() => open('always')}
        onDecide={decide}
      />
    );
  if (mode === 'ask')
    return <Choices {...bar} onOpen={open} onDecide={decide} onAlwaysInRoutine={onAlwaysInRoutine} />;
  const form = { approval, busy: busy !== undefined, onBack: back };
  return (
    <div className={CARD_FORM}>
      {mode === 'always' ? (
        <AlwaysForm {...form} onSaved={() => decide(afterRule(approval, selection))} />
      ) : (
        <AnswerForm {...form} mode={mode} onDecide={decide} />
      )}
    </div>
  );
};

/** What happens to the call at hand once its rule is saved. */
function afterRule(approval: Approval, selection: OutcomeSelection | undefined): Decision {
  const { outcome } = approval;
  return outcome === undefined || selection === undefined
    ? { type: 'approve' }
    : decisionWithRule(approval, outcome, selection);
}

interface HeadProps {
  card: ApprovalCardProps;
  id: string;
  /** The part that scrolls. */
  ref: Ref<HTMLDivElement>;
  /** It does scroll. */
  isLong: boolean;
  /** Shows which keys allow a high-risk call. */
  hint: boolean;
}

/** What the call does, and how risky it is. The end of a long path can be what matters, so it has to be seen, too. */
const Head = ({ card, id, ref, isLong, hint }: HeadProps) => {
  const { approval, mount, mac } = card;
  const t = useT();
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2 [@container(max-height:20rem)]:py-1">
      {/* A name longer than the line breaks beside the hand icon, not below it. */}
      <div
        ref={ref}
        data-scrolls
        // A scroll container must be reachable by keyboard.
        tabIndex={isLong ? 0 : undefined}
        className="flex max-h-20 max-w-full min-w-0 items-start gap-2 overflow-y-auto -outline-offset-2 [@container(max-height:15rem)]:max-h-none"
      >
        <Hand
          aria-hidden
          size={16}
          className={cx('mt-0.75 shrink-0', approval.risk === 'high' ? 'text-deny' : 'text-ask-text')}
        />
        <h3 id={id} className="min-w-0 text-read font-semibold wrap-anywhere">
          <ExactText text={headingOf(approval, mount, t)} oneLine />
        </h3>
      </div>
      {approval.preview.kind === 'diff' && (
        <LineCounts added={approval.preview.added} removed={approval.preview.removed} />
      )}
      <span className="grow" />
      {hint && (
        <span role="status" className="text-small text-deny">
          {t('approvals.highRiskKeys', { keys: mac ? '⌘↵' : 'Ctrl+Enter' })}
        </span>
      )}
      <RiskBadge risk={approval.risk} />
    </div>
  );
};

interface DetailsProps {
  card: ApprovalCardProps;
  selection: OutcomeSelection | undefined;
  reasonId: string;
  ref: Ref<HTMLDivElement>;
  /** The end of a command was visible. */
  onSeen(): void;
}

/** What the call would do, and why it needs approval: the part that scrolls. */
const Details = ({ card: { approval, mount }, selection, reasonId, ref, onSeen }: DetailsProps) => {
  const t = useT();
  const { preview, outcome, changed } = approval;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <section
      ref={ref}
      // Not a landmark: the inbox shows the same card beside the thread.
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      aria-label={t('approvals.what')}
      className={CARD_BODY}
    >
      {changed !== undefined && <ChangedSinceView changed={changed} mount={mount} />}
      {outcome !== undefined && preview.kind === 'command' ? (
        <>
          <CommandText command={preview.command} onSeen={onSeen} />
          <ScriptsBehind preview={preview} mount={mount} />
        </>
      ) : (
        <PreviewView preview={preview} mount={mount} address={addressOf(approval)} onSeen={onSeen} />
      )}
      {outcome !== undefined && selection !== undefined && (
        <OutcomeView approval={approval} outcome={outcome} selection={selection} />
      )}
      <Why approval={approval} id={reasonId} />
    </section>
  );
};

/** Why the call needs approval. What the parts of a command already show is only read aloud here. */
const Why = ({ approval, id }: { approval: Approval; id: string }) => {
  const t = useT();
  const reasons = useReasons();
  const { preview, outcome, risk, reason, agent } = approval;
  const repeated = outcome === undefined ? reason.filter((one) => isInPreview(one, preview)) : [];
  const others = reason.filter((one) => !repeated.includes(one));
  const hidden = preview.kind === 'command' && exactPieces(preview.command, true).some((p) => p.hidden);
  const isEmpty = others.length === 0 && !hidden && agent === undefined;
  return (
    <div
      className={
        isEmpty
          ? 'sr-only'
          : 'flex flex-col gap-1.5 border-t border-line px-3 py-2 text-fg-2 [@container(max-height:20rem)]:py-1'
      }
    >
      <p id={id} className={cx(others.length === 0 && 'sr-only')}>
        <span className="sr-only">
          {t(riskNames[risk])}. <ExactText text={reasons.sentences(repeated)} />
        </span>
        <ExactText text={reasons.sentences(others)} />
      </p>
      {hidden && <p className="text-small text-deny">{t('approvals.hiddenMarked')}</p>}
      {agent !== undefined && <p className="text-small text-fg-3">{t('approvals.askedBy', { agent })}</p>}
    </div>
  );
};

/** Whether the parts of a command already show a reason. */
const isInPreview = ({ code, values }: Reason, preview: Approval['preview']): boolean =>
  code === 'part' &&
  preview.kind === 'command' &&
  preview.parts?.some((part) => JSON.stringify(part.reason) === JSON.stringify(values?.why)) === true;
