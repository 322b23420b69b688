import type { Approval, Decision } from '@contract/approvals';
import type { CommandVerdict } from '@contract/control';
import { useEffect, useState } from 'react';
import { type Key, useReasons, useT } from '../../../i18n';
import { call, useApp } from '../../../link';
import { Button, cx, Field, Input, Textarea } from '../../../ui';
import { editedArgs, fieldsOf, valuesOf } from '../edit-args';
import { FORM_BAR, KeyButton, sendKeys, sendsForm } from '../key-button';
import { isRecordOf, isText, useWrittenInput } from '../use-kept-input';

export type AnswerMode = 'edit' | 'reject';

interface AnswerFormProps {
  mode: AnswerMode;
  approval: Approval;
  busy: boolean;
  onDecide(decision: Decision): void;
  onBack(): void;
}

/** The second step of a decision that needs input: edited arguments, or a reason. */
export const AnswerForm = (props: AnswerFormProps) =>
  props.mode === 'edit' ? <EditForm {...props} /> : <RejectForm {...props} />;

const REJECT = { message: 'approvals.rejectMessage', send: 'approvals.reject' } as const;
const DISCARD = { message: 'outcome.discardMessage', send: 'outcome.discard' } as const;
const DECLINE = { message: 'questions.declineMessage', send: 'questions.decline' } as const;

/** A reason to reject or discard, which can also be sent as the result of the call. */
const RejectForm = ({ approval, busy, onDecide, onBack }: AnswerFormProps) => {
  const t = useT();
  const [text, setText] = useWrittenInput(approval, 'reason', isText, () => '');
  const [missing, setMissing] = useState(false);
  const trimmed = text.trim();
  const type = approval.outcome === undefined ? 'reject' : 'discard';
  const isQuestion = approval.preview.kind === 'questions';
  const words = isQuestion ? DECLINE : type === 'discard' ? DISCARD : REJECT;
  const submit = () => onDecide(trimmed === '' ? { type } : { type, message: trimmed });
  const reply = () => (trimmed === '' ? setMissing(true) : onDecide({ type: 'respond', text: trimmed }));
  return (
    <form
      className="flex flex-col gap-2.5 border-t border-line px-3 py-2.5"
      onKeyDown={(event) => sendsForm(event, 'line') && submit()}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label={t(words.message)} error={missing && trimmed === '' ? t('approvals.needText') : undefined}>
        {(ids) => (
          <Textarea
            {...ids}
            ref={focus}
            rows={2}
            maxHeight={160}
            maxLength={20_000}
            value={text}
            onChange={({ target }) => setText(() => target.value)}
          />
        )}
      </Field>
      <div className={FORM_BAR}>
        <KeyButton keys="Esc" variant="ghost" onClick={onBack}>
          {t('approvals.back')}
        </KeyButton>
        {approval.allowed.includes('respond') && !isQuestion && (
          <Button title={t('approvals.respondText')} busy={busy} onClick={reply}>
            {t('approvals.respond')}
          </Button>
        )}
        <KeyButton keys="↵" type="submit" busy={busy} variant="danger">
          {t(words.send)}
        </KeyButton>
      </div>
    </form>
  );
};

const focus = (area: HTMLTextAreaElement | null) => area?.focus();

const labels: Record<string, Key & `approvals.field${string}`> = {
  command: 'approvals.fieldCommand',
  file_path: 'approvals.fieldPath',
  content: 'approvals.fieldContent',
  old_string: 'approvals.fieldOld',
  new_string: 'approvals.fieldNew',
  url: 'approvals.fieldUrl',
  json: 'approvals.fieldJson',
};

const EditForm = ({ approval, busy, onDecide, onBack }: AnswerFormProps) => {
  const t = useT();
  const mac = useApp((app) => app.platform === 'darwin');
  const fields = fieldsOf(approval.display, approval.args);
  const [values, setValues] = useWrittenInput(approval, 'arguments', isRecordOf(isText), () =>
    valuesOf(fields, approval.args),
  );
  const [bad, setBad] = useState(false);
  const submit = () => {
    const args = editedArgs(fields, approval.args, values);
    if (args) onDecide({ type: 'edit', args });
    else setBad(true);
  };
  return (
    <form
      className="flex flex-col gap-2.5 border-t border-line px-3 py-2.5"
      onKeyDown={(event) => sendsForm(event, approval.risk === 'high' ? 'never' : 'browser') && submit()}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fields.map(({ name, kind }, index) => (
        <Field
          key={name}
          label={t(labels[name] ?? 'approvals.fieldJson')}
          error={bad ? t('approvals.badJson') : undefined}
        >
          {(ids) => {
            const control = {
              ...ids,
              mono: true,
              spellCheck: false,
              autoFocus: index === 0,
              value: values[name] ?? '',
              onChange: (event: { target: { value: string } }) => {
                setBad(false);
                setValues((before) => ({ ...before, [name]: event.target.value }));
              },
            };
            return kind === 'line' ? (
              <Input {...control} />
            ) : (
              <Textarea {...control} rows={2} maxHeight={280} />
            );
          }}
        </Field>
      ))}
      <div className={FORM_BAR}>
        <Judged approval={approval} args={editedArgs(fields, approval.args, values)} />
        <KeyButton keys="Esc" variant="ghost" onClick={onBack}>
          {t('approvals.back')}
        </KeyButton>
        <KeyButton keys={sendKeys(mac)} type="submit" busy={busy} variant="primary">
          {t('approvals.allowEdited')}
        </KeyButton>
      </div>
    </form>
  );
};

/** Milliseconds without typing before the input is judged. */
const JUDGE_AFTER = 300;

/** The verdict on the call with its current arguments. */
const Judged = ({ approval, args }: { approval: Approval; args: Approval['args'] | undefined }) => {
  const t = useT();
  const reasons = useReasons();
  const [judged, setJudged] = useState<Pick<CommandVerdict, 'verdict' | 'reason'>>();
  const { threadId, id } = approval;
  const typed = args === undefined ? undefined : JSON.stringify(args);
  const isChanged = typed !== undefined && typed !== JSON.stringify(approval.args);
  useEffect(() => {
    setJudged(undefined);
    if (!isChanged || typed === undefined) return;
    let wanted = true;
    const timer = setTimeout(() => {
      void call('approval.check', {
        threadId,
        approvalId: id,
        args: JSON.parse(typed) as Approval['args'],
      }).then((result) => {
        if (wanted && result.ok) setJudged(result.value);
      });
    }, JUDGE_AFTER);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [threadId, id, typed, isChanged]);
  if (judged === undefined)
    return <p className="min-w-0 grow text-small text-fg-3">{t('approvals.editHint')}</p>;
  return (
    <p
      role="status"
      className={cx('min-w-0 grow text-small', judged.verdict === 'deny' ? 'text-deny' : 'text-fg-2')}
    >
      {t(judged.verdict === 'deny' ? 'approvals.checkDeny' : 'approvals.checkAsk', {
        reason: reasons.sentences(judged.reason),
      })}
    </p>
  );
};
