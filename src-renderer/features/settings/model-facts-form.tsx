import { optional } from '@contract/shared/optional';
import type { ModelFacts, ModelOverride, ModelPrice } from '@contract/usage';
import { useMemo, useState } from 'react';
import { useT } from '../../i18n';
import { call, toast, useAnswer, useApp, useOfferUndo } from '../../link';
import { Button, ErrorNote, Field, Input, LoadFailed, Select } from '../../ui';
import { inDollars, microDollars, wholeNumber } from '../../ui/amounts';
import { Heading } from './heading';
import { useApplying } from './use-applying';
import { useEntered } from './use-entered';

/** The model catalog, one model at a time: context window, maximum output and prices, with edits and reset. */
export const ModelFactsForm = () => {
  const t = useT();
  const current = useApp((app) => app.settings.model);
  const providers = useApp((app) => app.models.providers);
  const overrides = useApp((app) => app.models.overrides);
  const [model, setModel] = useState(current);
  const listed = providers.flatMap(({ id, models }) => models.map(({ name }) => `${id}:${name}`));
  const names = [...new Set([current, model, ...listed, ...Object.keys(overrides)])].toSorted();
  return (
    <section aria-label={t('usage.facts')} className="flex flex-col gap-3">
      <Heading title={t('usage.facts')} hint={t('usage.factsHint')} />
      <Field label={t('usage.model')}>
        {(ids) => (
          <Select
            {...ids}
            options={names.map((name) => ({ value: name, label: name }))}
            value={model}
            onChange={(event) => setModel(event.target.value)}
          />
        )}
      </Field>
      <Loaded key={model} model={model} override={overrides[model]} />
    </section>
  );
};

interface LoadedProps {
  model: string;
  override: ModelOverride | undefined;
}

const Loaded = ({ model, override }: LoadedProps) => {
  const { answer, reload } = useAnswer('models.facts', { model });
  if (answer.phase === 'failed') return <LoadFailed error={answer.error} onRetry={reload} />;
  return answer.phase === 'loading' ? null : (
    <Form model={model} builtIn={answer.value.builtIn} override={override} />
  );
};

const PRICES = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
const COUNTS = ['contextWindow', 'maxOutput'] as const;
const NAMES = [...COUNTS, ...PRICES];
type Name = (typeof PRICES)[number] | (typeof COUNTS)[number];

interface Wrong {
  field: Name;
  why: 'wrongNumber' | 'wholePrice';
}

function textsOf(builtIn: ModelFacts, override: ModelOverride): Record<Name, string> {
  const price = override.price === undefined ? builtIn.price : override.price;
  const count = (name: (typeof COUNTS)[number]) => {
    const own = override[name];
    return String((own === undefined ? builtIn[name] : own) ?? '');
  };
  return {
    contextWindow: count('contextWindow'),
    maxOutput: count('maxOutput'),
    input: inDollars(price?.input ?? null),
    output: inDollars(price?.output ?? null),
    cacheRead: inDollars(price?.cacheRead ?? null),
    cacheWrite: inDollars(price?.cacheWrite ?? null),
  };
}

/** What the entered texts change of the built-in facts, or why they cannot be applied. */
function overrideOf(
  texts: Record<Name, string>,
  builtIn: ModelFacts,
): { change: ModelOverride } | { wrong: Wrong } {
  const isUnread = (name: Name) =>
    (COUNTS.some((count) => count === name) ? wholeNumber : microDollars)(texts[name]) === undefined;
  const unread = NAMES.find(isUnread);
  if (unread !== undefined) return { wrong: { field: unread, why: 'wrongNumber' } };
  const [contextWindow, maxOutput] = COUNTS.map((name) => wholeNumber(texts[name]));
  const [input, output, cacheRead, cacheWrite] = PRICES.map((name) => microDollars(texts[name]));
  if ((input === null) !== (output === null))
    return { wrong: { field: input === null ? 'input' : 'output', why: 'wholePrice' } };
  const price: ModelPrice | null =
    typeof input === 'number' && typeof output === 'number'
      ? {
          input,
          output,
          // Without a cache price, cached tokens cost the same as others.
          cacheRead: cacheRead ?? input,
          cacheWrite: cacheWrite ?? input,
          asOf: new Date().toISOString().slice(0, 10),
        }
      : null;
  return {
    change: {
      ...changed('contextWindow', contextWindow ?? null, builtIn.contextWindow),
      ...changed('maxOutput', maxOutput ?? null, builtIn.maxOutput),
      ...(isSamePrice(price, builtIn.price) ? {} : { price }),
    },
  };
}

const NOTHING: ModelOverride = {};

/** Applies when the focus leaves the form. */
const Form = ({ model, builtIn, override = NOTHING }: LoadedProps & { builtIn: ModelFacts }) => {
  const t = useT();
  const price = override.price === undefined ? builtIn.price : override.price;
  const applied = useMemo(() => textsOf(builtIn, override), [builtIn, override]);
  const [texts, setTexts] = useEntered(applied);
  const [fault, setFault] = useState<{ field: Name | null; message: string }>();
  const offerUndo = useOfferUndo();
  const before = Object.keys(override).length > 0 ? override : null;
  const send = async (change: ModelOverride | null) => {
    const result = await call('models.override', { model, override: change });
    setFault(result.ok ? undefined : { field: null, message: result.error.message });
    if (!result.ok) return;
    offerUndo({
      setting: t('usage.factsOf', { model }),
      undo: async () => {
        const back = await call('models.override', { model, override: before });
        if (!back.ok) toast(back.error.message);
        return back.ok;
      },
    });
  };
  const save = () => {
    const made = overrideOf(texts, builtIn);
    if ('wrong' in made) setFault({ field: made.wrong.field, message: t(`usage.${made.wrong.why}`) });
    else void send({ ...optional({ abilities: override.abilities }), ...made.change });
  };
  const field = (name: Name, label: string) => (
    <Field label={label} error={fault?.field === name ? fault.message : undefined}>
      {(ids) => (
        <Input
          {...ids}
          inputMode="decimal"
          autoComplete="off"
          placeholder={t('usage.unknown')}
          value={texts[name]}
          onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
        />
      )}
    </Field>
  );
  const isOwn = Object.keys(override).length > 0;
  const isChanged = NAMES.some((name) => texts[name] !== applied[name]);
  const onBlur = useApplying(save, isChanged);
  return (
    <form
      data-no-draft
      className="flex flex-col gap-3"
      onBlur={onBlur}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div className="grid grid-cols-2 items-start gap-3">
        {field('contextWindow', t('usage.contextWindow'))}
        {field('maxOutput', t('usage.maxOutput'))}
        {field('input', t('usage.priceInput'))}
        {field('output', t('usage.priceOutput'))}
        {field('cacheRead', t('usage.priceCacheRead'))}
        {field('cacheWrite', t('usage.priceCacheWrite'))}
      </div>
      {fault?.field === null && <ErrorNote message={fault.message} />}
      <div className="flex items-center gap-2">
        {/* Enter applies, which takes a button in a form of several fields. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
        {isOwn && (
          <Button variant="ghost" onClick={() => void send(null)}>
            {t('usage.reset')}
          </Button>
        )}
        <span className="text-small text-fg-3">
          {isOwn
            ? t('usage.yours')
            : price === null
              ? t('usage.priceUnknown')
              : t('usage.asOf', { date: price.asOf })}
        </span>
      </div>
    </form>
  );
};

/** A field is stored only if it differs from the built-in value. */
const changed = (name: 'contextWindow' | 'maxOutput', value: number | null, builtIn: number | null) =>
  value === builtIn ? {} : { [name]: value };

const isSamePrice = (a: ModelPrice | null, b: ModelPrice | null): boolean =>
  a === null || b === null ? a === b : PRICES.every((name) => a[name] === b[name]);
