import type { Approval, Decision } from '@contract/conversation';
import { useEffect, useState } from 'react';
import { type Key, useSaid, useT } from '../../i18n';
import { call } from '../../link';
import { Button, cx, Field, Input, Textarea } from '../../ui';
import { editedArgs, fieldsOf, valuesOf } from './edit-args';

export type AnswerMode = 'edit' | 'reject' | 'respond';

interface AnswerFormProps {
  mode: AnswerMode;
  approval: Approval;
  busy: boolean;
  onDecide(decision: Decision): void;
  onBack(): void;
}

/** The second step of a decision that takes words: edited arguments, a reason, an answer. */
export const AnswerForm = (props: AnswerFormProps) =>
  props.mode === 'edit' ? <EditForm {...props} /> : <TextForm {...props} />;

const TextForm = ({ mode, busy, onDecide, onBack }: AnswerFormProps) => {
  const t = useT();
  const [text, setText] = useState('');
  const [missing, setMissing] = useState(false);
  const rejects = mode === 'reject';
  const submit = () => {
    const trimmed = text.trim();
    if (rejects) onDecide(trimmed === '' ? { type: 'reject' } : { type: 'reject', message: trimmed });
    else if (trimmed === '') setMissing(true);
    else onDecide({ type: 'respond', text: trimmed });
  };
  return (
    <form
      className="flex flex-col gap-2.5 border-t border-line px-3 py-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label={rejects ? t('approvals.rejectMessage') : t('approvals.respondText')}
        error={missing && text.trim() === '' ? t('approvals.needText') : undefined}
      >
        {(ids) => (
          <Textarea
            {...ids}
            ref={(area) => area?.focus()}
            rows={2}
            maxHeight={160}
            maxLength={rejects ? 20_000 : 200_000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onClick={onBack}>
          {t('approvals.back')}
        </Button>
        <Button type="submit" busy={busy} variant={rejects ? 'danger' : 'primary'}>
          {rejects ? t('approvals.sendReject') : t('approvals.sendRespond')}
        </Button>
      </div>
    </form>
  );
};

const labels: Record<string, Key & `approvals.field${string}`> = {
  command: 'approvals.fieldCommand',
  file_path: 'approvals.fieldPath',
  content: 'approvals.fieldContent',
  old_string: 'approvals.fieldOld',
  new_string: 'approvals.fieldNew',
  json: 'approvals.fieldJson',
};

const EditForm = ({ approval, busy, onDecide, onBack }: AnswerFormProps) => {
  const t = useT();
  const fields = fieldsOf(approval.display, approval.args);
  const [values, setValues] = useState(() => valuesOf(fields, approval.args));
  const [bad, setBad] = useState(false);
  const submit = () => {
    const args = editedArgs(fields, approval.args, values);
    if (args) onDecide({ type: 'edit', args });
    else setBad(true);
  };
  return (
    <form
      className="flex flex-col gap-2.5 border-t border-line px-3 py-2.5"
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
                setValues({ ...values, [name]: event.target.value });
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
      <div className="flex items-center justify-end gap-2">
        <Judged approval={approval} args={editedArgs(fields, approval.args, values)} />
        <Button variant="ghost" onClick={onBack}>
          {t('approvals.back')}
        </Button>
        <Button type="submit" busy={busy} variant="primary">
          {t('approvals.allowEdited')}
        </Button>
      </div>
    </form>
  );
};

/** Milliseconds without a key before what is typed is judged. */
const JUDGE_AFTER = 300;

/** What would become of the call with the arguments as they stand now. */
const Judged = ({ approval, args }: { approval: Approval; args: Approval['args'] | undefined }) => {
  const t = useT();
  const words = useSaid();
  const [said, setSaid] = useState<{ verdict: 'allow' | 'ask' | 'deny'; reason: string }>();
  const { threadId, id } = approval;
  const typed = args === undefined ? undefined : JSON.stringify(args);
  const isChanged = typed !== undefined && typed !== JSON.stringify(approval.args);
  useEffect(() => {
    setSaid(undefined);
    if (!isChanged || typed === undefined) return;
    let wanted = true;
    const timer = setTimeout(() => {
      void call('approval.check', {
        threadId,
        approvalId: id,
        args: JSON.parse(typed) as Approval['args'],
      }).then((result) => {
        if (wanted && result.ok) setSaid(result.value);
      });
    }, JUDGE_AFTER);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [threadId, id, typed, isChanged]);
  if (said === undefined)
    return <p className="min-w-0 grow text-small text-fg-3">{t('approvals.editHint')}</p>;
  return (
    <p
      role="status"
      className={cx('min-w-0 grow text-small', said.verdict === 'deny' ? 'text-deny' : 'text-fg-2')}
    >
      {t(said.verdict === 'deny' ? 'approvals.checkDeny' : 'approvals.checkAsk', {
        reason: words(said.reason),
      })}
    </p>
  );
};
