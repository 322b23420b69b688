import type { Approval, Decision, Preview } from '@contract/approvals';
import { type FormField, type FormValue, formContent } from '@contract/form';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useT } from '../../../i18n';
import { useApp } from '../../../link';
import { Button, cx, ExactText, Field, Input, Select, Textarea } from '../../../ui';
import { hostOf } from '../heading';
import { FORM_BAR, KeyButton, sendKeys, sendsForm } from '../key-button';
import { isRecordOf, useWrittenInput } from '../use-kept-input';
import { formatHint, problemText } from './field-problem';

type Question = Extract<Preview, { kind: 'form' }>;

/** What a server asks, in its words, and the page that it wants to be opened. */
export const QuestionView = ({ question: { message, url, step } }: { question: Question }) => {
  const t = useT();
  return (
    <div className="flex flex-col gap-2 bg-sunken px-3 py-2">
      <p className="break-words whitespace-pre-wrap">
        <ExactText text={message} />
      </p>
      {url !== null && (
        <div className="flex flex-col gap-0.5">
          <p className="break-words text-fg-2">
            {step === 'finish' ? t('approvals.openedHost') : t('approvals.opensHost', { host: hostOf(url) })}
          </p>
          <p className="font-mono text-code break-all">
            <ExactText text={url} />
          </p>
        </div>
      )}
    </div>
  );
};

type Values = Readonly<Record<string, FormValue>>;

const isFormValue = (value: unknown): value is FormValue =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'));

interface QuestionFormProps {
  approval: Approval;
  question: Question;
  /** The card takes decisions. */
  armed: boolean;
  busy: Decision['type'] | undefined;
  onDecide(decision: Decision): void;
}

/** The fields that a server asks for, with the buttons that answer or decline. */
export const QuestionForm = ({ approval, question, armed, busy, onDecide }: QuestionFormProps) => {
  const t = useT();
  const mac = useApp((app) => app.platform === 'darwin');
  const { fields, server } = question;
  const [values, setValues] = useWrittenInput<Values>(
    approval,
    'fields',
    isRecordOf(isFormValue),
    () => Object.fromEntries(fields.map((field) => [field.name, presetOf(field)])),
    question.asksSecret,
  );
  const [isChecked, setChecked] = useState(false);
  const { content, wrong } = formContent(fields, values);
  const form = useRef<HTMLFormElement>(null);
  const submit = () => {
    if (Object.keys(wrong).length === 0) {
      onDecide({ type: 'respond', text: JSON.stringify(content) });
      return;
    }
    // The first problem may be out of sight.
    flushSync(() => setChecked(true));
    const problem = form.current?.querySelector('[role=alert]');
    problem?.parentElement?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  };
  return (
    // The question keeps its height as long as the fields can give way.
    <div
      className={cx(
        'shrink-[999] overflow-y-auto border-t border-line',
        fields.length > 1 ? 'min-h-40' : fields.length === 1 && 'min-h-24',
      )}
    >
      <form
        ref={form}
        noValidate
        aria-busy={!armed}
        className="flex flex-col gap-2.5 px-3 py-2.5"
        onKeyDown={(event) => sendsForm(event, 'browser') && submit()}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {fields.map((field) => {
          const problem = isChecked ? wrong[field.name] : undefined;
          return (
            <QuestionField
              key={field.name}
              field={field}
              value={values[field.name]}
              error={problem === undefined ? undefined : problemText(field, problem, t)}
              onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
            />
          );
        })}
        <div className={FORM_BAR}>
          <Button busy={busy === 'reject'} onClick={() => onDecide({ type: 'reject' })}>
            {t('approvals.decline')}
          </Button>
          <KeyButton keys={sendKeys(mac)} type="submit" variant="primary" busy={busy === 'respond'}>
            {t(sendWords(question), { server })}
          </KeyButton>
        </div>
      </form>
    </div>
  );
};

function sendWords({ url, step }: Question) {
  if (url === null) return 'approvals.sendAnswer';
  return step === 'finish' ? 'approvals.repeatCall' : 'approvals.openPage';
}

function presetOf({ preset, kind }: FormField): FormValue {
  if (preset === undefined) return kind === 'boolean' ? false : kind === 'choices' ? [] : '';
  return typeof preset === 'number' ? String(preset) : preset;
}

interface QuestionFieldProps {
  field: FormField;
  value: FormValue | undefined;
  error: string | undefined;
  onChange(value: FormValue): void;
}

const QuestionField = ({ field, value, error, onChange }: QuestionFieldProps) => {
  const t = useT();
  const { kind, label, description, required, options } = field;
  if (kind === 'boolean')
    return (
      <Checkbox label={label} hint={description} checked={value === true} onChange={(on) => onChange(on)} />
    );
  if (kind === 'choices') return <Choices field={field} value={value} error={error} onChange={onChange} />;
  const text = typeof value === 'string' ? value : '';
  return (
    <Field
      label={required ? label : t('approvals.optionalField', { label })}
      error={error}
      hint={description === '' ? formatHint(field, t) : description}
    >
      {(ids) => {
        const control = {
          ...ids,
          required,
          value: text,
          onChange: (event: { target: { value: string } }) => onChange(event.target.value),
        };
        if (kind === 'choice')
          return (
            <Select {...control} options={[{ value: '', label: t('approvals.noChoice') }, ...options]} />
          );
        const isLong = kind === 'text' && field.format === undefined && (field.max ?? 0) > 200;
        return isLong ? <Textarea {...control} rows={2} maxHeight={160} /> : <Input {...control} />;
      }}
    </Field>
  );
};

interface CheckboxProps {
  label: string;
  hint?: string;
  checked: boolean;
  onChange(checked: boolean): void;
}

const Checkbox = ({ label, hint = '', checked, onChange }: CheckboxProps) => (
  <label className="flex items-start gap-2">
    <input
      type="checkbox"
      className="mt-1"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>
      {label}
      {hint !== '' && <span className="block text-small text-fg-3">{hint}</span>}
    </span>
  </label>
);

const Choices = ({ field, value, error, onChange }: QuestionFieldProps) => {
  const t = useT();
  const { label, required, description, options } = field;
  const chosen = Array.isArray(value) ? value : [];
  const set = (one: string, on: boolean) =>
    onChange(
      options.flatMap((option) => {
        const isChosen = option.value === one ? on : chosen.includes(option.value);
        return isChosen ? [option.value] : [];
      }),
    );
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="font-medium">{required ? label : t('approvals.optionalField', { label })}</legend>
      {description !== '' && <p className="text-small text-fg-3">{description}</p>}
      {options.map((option) => (
        <Checkbox
          key={option.value}
          label={option.label}
          checked={chosen.includes(option.value)}
          onChange={(on) => set(option.value, on)}
        />
      ))}
      {error !== undefined && (
        <p role="alert" className="text-small text-deny">
          {error}
        </p>
      )}
    </fieldset>
  );
};
