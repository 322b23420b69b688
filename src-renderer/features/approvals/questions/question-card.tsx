import type { Approval } from '@contract/approvals';
import { MAX_FREE_TEXT, type Question } from '@contract/shared/questions';
import { MessageCircleQuestionMark } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useT } from '../../../i18n';
import { cx, ErrorNote, ExactText, Kbd, Textarea } from '../../../ui';
import type { ApprovalCardProps } from '../approval-card-props';
import { CARD, CARD_BODY, CARD_FORM } from '../card-classes';
import { dropHeldEnter } from '../drop-held-enter';
import { headingOf } from '../heading';
import { Bar, KeyButton } from '../key-button';
import { useArmed } from '../use-armed';
import { useDecision, useWhenLeft } from '../use-decision';
import { useWrittenInput } from '../use-kept-input';
import { AnswerForm } from './answer-form';
import {
  answersText,
  areGivenAnswers,
  type GivenAnswer,
  isAnswered,
  NO_ANSWER,
  withChoice,
} from './given-answers';
import { focusQuestion, useQuestionKeys } from './use-question-keys';

interface QuestionCardProps extends ApprovalCardProps {
  questions: readonly Question[];
}

/** Questions of the agent that wait for answers, with the same protections as other pending calls. */
export const QuestionCard = (props: QuestionCardProps) => {
  const { approval, questions, mount, place = '', keepsEscape = false, onStep, onLeft } = props;
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  const [isDeclining, setDeclining] = useState(false);
  const { given, change } = useGiven(approval, questions);
  const armed = useArmed(`${approval.id}/${approval.digest}/${place}`, card);
  const { decide, busy, error } = useDecision(approval, armed, true);
  useWhenLeft(card, onLeft);
  const isComplete = given.every(isAnswered);
  const send = () => {
    if (isComplete) return decide({ type: 'respond', text: answersText(given) });
    focusQuestion(
      card.current,
      given.findIndex((one) => !isAnswered(one)),
    );
  };
  const show = (declines: boolean) => {
    if (!armed) return;
    setDeclining(declines);
    card.current?.focus();
  };
  const onKeyDown = useQuestionKeys({
    card,
    keepsEscape,
    isDeclining,
    isAnswered: (at) => isAnswered(given[at] ?? NO_ANSWER),
    choose: (at, index) => {
      const question = questions[at];
      const choice = question?.choices?.[index];
      if (question === undefined || choice === undefined) return false;
      change(at, (before) => withChoice(question, before, choice));
      return true;
    },
    send,
    decline: () => show(true),
    back: () => show(false),
    step: onStep,
  });
  return (
    <div
      ref={card}
      role="dialog"
      aria-modal="false"
      aria-labelledby={`${id}-heading`}
      tabIndex={-1}
      data-approval={approval.id}
      onKeyDownCapture={dropHeldEnter}
      onKeyDown={onKeyDown}
      className={cx(CARD, 'border-ask')}
    >
      <Head approval={approval} mount={mount} id={`${id}-heading`} />
      <QuestionList {...{ questions, given, isDeclining }} onChange={change} />
      {error && (
        <div className="shrink-0 px-3 pt-2">
          <ErrorNote message={error.message} detail={error.detail} />
        </div>
      )}
      {isDeclining ? (
        <div className={CARD_FORM}>
          <AnswerForm
            mode="reject"
            approval={approval}
            busy={busy !== undefined}
            onBack={() => show(false)}
            onDecide={decide}
          />
        </div>
      ) : (
        <Actions
          armed={armed}
          isComplete={isComplete}
          isSending={busy === 'respond'}
          count={questions.length}
          keepsEscape={keepsEscape}
          onDecline={() => show(true)}
          onSend={send}
        />
      )}
    </div>
  );
};

interface QuestionListProps {
  questions: readonly Question[];
  given: readonly GivenAnswer[];
  isDeclining: boolean;
  onChange(at: number, next: (before: GivenAnswer) => GivenAnswer): void;
}

/** The part that scrolls. Where little fits, it leaves its place to the form to decline. */
const QuestionList = ({ questions, given, isDeclining, onChange }: QuestionListProps) => {
  const t = useT();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <section
      role="group"
      aria-label={t('questions.what')}
      className={cx(
        CARD_BODY,
        'flex flex-col gap-3 px-3 py-2.5',
        isDeclining && '[@container(max-height:15rem)]:hidden',
      )}
    >
      {questions.map((question, at) => (
        <OneQuestion
          // biome-ignore lint/suspicious/noArrayIndexKey: the questions of a call never change
          key={at}
          at={at}
          question={question}
          given={given[at] ?? NO_ANSWER}
          onChange={(next) => onChange(at, next)}
        />
      ))}
    </section>
  );
};

interface ActionsProps {
  armed: boolean;
  /** Every question has an answer. */
  isComplete: boolean;
  isSending: boolean;
  /** Number of questions. */
  count: number;
  keepsEscape: boolean;
  onDecline(): void;
  onSend(): void;
}

const Actions = ({ armed, isComplete, isSending, count, keepsEscape, onDecline, onSend }: ActionsProps) => {
  const t = useT();
  return (
    <Bar armed={armed} isSticky>
      <KeyButton keys={keepsEscape ? undefined : 'Esc'} onClick={onDecline}>
        {t('questions.declineWhy')}
      </KeyButton>
      <KeyButton
        keys="↵"
        variant={isComplete ? 'primary' : 'secondary'}
        aria-disabled={!armed || !isComplete}
        className={cx(!isComplete && 'opacity-50')}
        busy={isSending}
        title={isComplete ? undefined : t('questions.incomplete')}
        onClick={onSend}
      >
        {t('questions.send', { count })}
      </KeyButton>
    </Bar>
  );
};

function useGiven(approval: Approval, questions: readonly Question[]) {
  const [given, setGiven] = useWrittenInput<readonly GivenAnswer[]>(
    approval,
    'answers',
    areGivenAnswers,
    () => questions.map(() => NO_ANSWER),
  );
  const change = (at: number, next: (before: GivenAnswer) => GivenAnswer) =>
    setGiven((before) => before.map((one, index) => (index === at ? next(one) : one)));
  return { given, change };
}

const Head = ({ approval, mount, id }: { approval: Approval; mount: string; id: string }) => {
  const t = useT();
  return (
    <div className="flex shrink-0 items-start gap-2 px-3 py-2 [@container(max-height:20rem)]:py-1">
      <MessageCircleQuestionMark aria-hidden size={16} className="mt-0.75 shrink-0 text-ask-text" />
      <h3 id={id} className="min-w-0 text-read font-semibold break-words">
        <ExactText text={headingOf(approval, mount, t)} oneLine />
      </h3>
    </div>
  );
};

interface OneQuestionProps {
  at: number;
  question: Question;
  given: GivenAnswer;
  onChange(next: (before: GivenAnswer) => GivenAnswer): void;
}

const OneQuestion = ({ at, question, given, onChange }: OneQuestionProps) => {
  const t = useT();
  const name = useId();
  const { choices = [], multiple = false } = question;
  return (
    <fieldset data-question={at} className="flex min-w-0 flex-col gap-1">
      <legend className="pb-1 font-medium break-words whitespace-pre-wrap select-text">
        <ExactText text={question.question} />
        {multiple && <span className="pl-2 text-small font-normal text-fg-3">{t('questions.several')}</span>}
      </legend>
      {choices.map((choice, index) => (
        <label
          key={choice}
          className={cx(
            'flex min-h-target cursor-pointer items-start gap-2 rounded-control px-1.5 py-1 hover:bg-hover',
            given.choices.includes(choice) && 'bg-selected',
          )}
        >
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={name}
            data-answer={index}
            aria-keyshortcuts={`${index + 1}`}
            className="mt-1 shrink-0 accent-accent"
            checked={given.choices.includes(choice)}
            onChange={() => onChange((before) => withChoice(question, before, choice))}
          />
          <span className="min-w-0 grow break-words">
            <ExactText text={choice} />
          </span>
          <span aria-hidden className="shrink-0">
            <Kbd>{`${index + 1}`}</Kbd>
          </span>
        </label>
      ))}
      <Textarea
        data-answer="text"
        aria-label={t(choices.length === 0 ? 'questions.answer' : 'questions.ownAnswer')}
        placeholder={t(choices.length === 0 ? 'questions.answer' : 'questions.ownAnswer')}
        rows={1}
        maxHeight={160}
        maxLength={MAX_FREE_TEXT}
        value={given.text}
        onChange={({ target }) => onChange((before) => ({ ...before, text: target.value }))}
      />
    </fieldset>
  );
};
