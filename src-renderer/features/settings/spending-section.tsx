import type { SpendingCeilings } from '@contract/usage';
import { useMemo, useState } from 'react';
import { useT } from '../../i18n';
import { call, useApp } from '../../link';
import { Field, FieldError, Input, Textarea } from '../../ui';
import { inDollars, microDollars } from '../../ui/amounts';
import { Heading } from './heading';
import { ModelFactsForm } from './model-facts-form';
import { useApplying } from './use-applying';
import { useEntered } from './use-entered';

/** Spending limits, fallback models, and the prices and context windows of models. */
export const SpendingSection = () => (
  <div className="flex flex-col gap-6">
    <Ceilings />
    <Fallbacks />
    <ModelFactsForm />
  </div>
);

const inTexts = ({ thread, day }: SpendingCeilings) => ({ thread: inDollars(thread), day: inDollars(day) });

const Ceilings = () => {
  const t = useT();
  const spending = useApp((app) => app.settings.spending);
  const { thread: perThread, day: perDay } = spending;
  const applied = useMemo(() => inTexts({ thread: perThread, day: perDay }), [perThread, perDay]);
  const [texts, setTexts] = useEntered(applied);
  const [wrong, setWrong] = useState<{ thread?: string; day?: string; all?: string }>({});
  const save = async () => {
    const thread = microDollars(texts.thread);
    const day = microDollars(texts.day);
    if (thread === undefined || day === undefined) {
      const words = t('usage.noAmount');
      setWrong({
        ...(thread === undefined ? { thread: words } : {}),
        ...(day === undefined ? { day: words } : {}),
      });
      return;
    }
    const result = await call('settings.change', { spending: { thread, day } });
    setWrong(result.ok ? {} : { all: result.error.message });
  };
  const isChanged = texts.thread !== applied.thread || texts.day !== applied.day;
  const onBlur = useApplying(() => void save(), isChanged);
  const field = (which: 'thread' | 'day', label: string) => (
    <Field label={label} error={wrong[which]}>
      {(ids) => (
        <Input
          {...ids}
          inputMode="decimal"
          autoComplete="off"
          value={texts[which]}
          onChange={(event) => setTexts({ ...texts, [which]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <form
      data-no-draft
      aria-label={t('usage.ceilings')}
      className="flex flex-col gap-3"
      onBlur={onBlur}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Heading title={t('usage.ceilings')} hint={t('usage.ceilingsHint')} />
      <div className="grid grid-cols-2 items-end gap-3">
        {field('thread', t('usage.perThread'))}
        {field('day', t('usage.perDay'))}
      </div>
      {wrong.all !== undefined && <FieldError>{wrong.all}</FieldError>}
      {/* Enter applies the limits, which takes a button in a form of several fields. */}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </form>
  );
};

const Fallbacks = () => {
  const t = useT();
  const fallbacks = useApp((app) => app.settings.fallbacks);
  const known = fallbacks.join('\n');
  const [text, setText] = useEntered(known);
  const [error, setError] = useState<string>();
  const save = async () => {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const wrong = lines.find((line) => !/^[a-z-]+:\S+$/u.test(line));
    if (wrong !== undefined) {
      setError(t('usage.fallbackWrong', { line: wrong }));
      return;
    }
    const result = await call('settings.change', { fallbacks: lines });
    setError(result.ok ? undefined : result.error.message);
  };
  const onBlur = useApplying(() => void save(), text !== known);
  return (
    <form
      aria-label={t('usage.fallbacks')}
      className="flex flex-col gap-3"
      onBlur={onBlur}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Heading title={t('usage.fallbacks')} hint={t('usage.fallbacksHint')} />
      <Field label={t('usage.fallbackField')} error={error}>
        {(ids) => (
          <Textarea {...ids} mono rows={2} value={text} onChange={(event) => setText(event.target.value)} />
        )}
      </Field>
    </form>
  );
};
