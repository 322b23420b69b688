import type { Profile, ProfileScope, ProfilesState } from '@contract/shared/profile';
import { useMemo, useState } from 'react';
import { useT } from '../../i18n';
import { call, lastIn, useAnswer, useApp, useOfferUndo } from '../../link';
import { Button, ErrorNote, Field, LoadFailed, Select, Textarea } from '../../ui';
import { useApplying } from './use-applying';
import { useEntered } from './use-entered';
import { useProviders } from './use-providers';

/** The system prompt and the tools offered to a model: for all models, a provider, or one model. */
export const InstructionsSection = () => {
  const t = useT();
  const providers = useProviders();
  const current = useApp((app) => app.settings.model);
  const { answer, reload } = useAnswer('profiles.read', {});
  const state = lastIn(answer)?.value;
  const [error, setError] = useState<string>();
  const [scope, setScope] = useState<ProfileScope>('*');
  const offerUndo = useOfferUndo();

  const failed = answer.phase === 'failed' && <LoadFailed error={answer.error} onRetry={reload} />;
  if (state === undefined) return failed;
  const models = providers.flatMap(({ id, models: list }) => list.map(({ name }) => `${id}:${name}`));
  const scopes = [
    { value: '*', label: t('usage.allModels') },
    ...providers.map(({ id, name }) => ({ value: id, label: t('usage.allOf', { provider: name }) })),
    ...[...new Set([current, ...models, ...Object.keys(state.profiles).filter((one) => one.includes(':'))])]
      .toSorted()
      .map((name) => ({ value: name, label: name })),
  ];
  const marked = scopes.map((one) =>
    state.profiles[one.value] === undefined ? one : { ...one, label: `${one.label} •` },
  );
  const profile = state.profiles[scope];
  const put = async (next: Profile | null) => {
    const result = await call('profiles.change', { scope, profile: next });
    setError(result.ok ? undefined : result.error.message);
    if (result.ok) reload();
    return result.ok;
  };
  const save = async (next: Profile | null) => {
    if (!(await put(next))) return;
    const of = scopes.find(({ value }) => value === scope)?.label ?? scope;
    offerUndo({ setting: t('settings.instructionsFor', { scope: of }), undo: () => put(profile ?? null) });
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="text-small text-fg-3">{t('usage.instructionsHint')}</p>
      <Field label={t('usage.scope')}>
        {(ids) => (
          <Select
            {...ids}
            options={marked}
            value={scope}
            onChange={(event) => setScope(event.target.value)}
          />
        )}
      </Field>
      {error !== undefined && <ErrorNote message={error} />}
      {failed}
      <Form key={scope} profile={profile} builtIn={state.builtIn} onSave={(next) => void save(next)} />
    </div>
  );
};

interface FormProps {
  profile: Profile | undefined;
  builtIn: ProfilesState['builtIn'];
  onSave(profile: Profile | null): void;
}

/** The fields of a profile that the form shows. */
interface Draft {
  prompt: string;
  suffix: string;
  excluded: readonly string[];
  descriptions: Readonly<Record<string, string>>;
}

const draftOf = (profile: Profile, builtIn: ProfilesState['builtIn']): Draft => ({
  prompt: profile.systemPrompt ?? builtIn.systemPrompt,
  suffix: profile.systemPromptSuffix ?? '',
  excluded: profile.excludedTools ?? [],
  descriptions: profile.toolDescriptions ?? {},
});

/** Null if nothing differs from the built-in profile. */
function profileOf(
  { prompt, suffix, excluded, descriptions }: Draft,
  builtIn: ProfilesState['builtIn'],
): Profile | null {
  const own = Object.fromEntries(
    Object.entries(descriptions).filter(
      ([name, text]) => text !== builtIn.tools.find((tool) => tool.name === name)?.description,
    ),
  );
  const next: Profile = {
    ...(prompt === builtIn.systemPrompt ? {} : { systemPrompt: prompt }),
    ...(suffix.trim() === '' ? {} : { systemPromptSuffix: suffix }),
    ...(Object.keys(own).length === 0 ? {} : { toolDescriptions: own }),
    ...(excluded.length === 0 ? {} : { excludedTools: [...excluded] }),
  };
  return Object.keys(next).length === 0 ? null : next;
}

/** Texts apply when the focus leaves the form, everything else immediately. */
const Form = ({ profile, builtIn, onSave }: FormProps) => {
  const t = useT();
  const known = useMemo(() => draftOf(profile ?? {}, builtIn), [profile, builtIn]);
  const [draft, setDraft] = useEntered(known);
  const { prompt, suffix, excluded, descriptions } = draft;
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const stored = profileOf(known, builtIn);
  const apply = (next: Draft) => {
    const wanted = profileOf(next, builtIn);
    if (!isSame(wanted, stored)) onSave(wanted);
  };
  const onBlur = useApplying(() => apply(draft), !isSame(profileOf(draft, builtIn), stored));
  const [described, setDescribed] = useState<string>();
  // Excluded tools of servers are listed too, because they are not among the built-in ones.
  const strangers = [...excluded].filter((name) => !builtIn.tools.some((tool) => tool.name === name));
  const tools = [...builtIn.tools, ...strangers.map((name) => ({ name, description: '', required: false }))];
  const applyNow = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    apply(next);
  };
  const offer = (name: string, isOffered: boolean) => {
    const others = excluded.filter((one) => one !== name);
    applyNow({ excluded: isOffered ? others : [...others, name] });
  };
  return (
    <form
      className="flex flex-col gap-4"
      onBlur={onBlur}
      onSubmit={(event) => {
        event.preventDefault();
        apply(draft);
      }}
    >
      <Field label={t('usage.systemPrompt')} hint={t('usage.systemPromptHint')}>
        {(ids) => (
          <Textarea
            {...ids}
            mono
            rows={8}
            value={prompt}
            onChange={(event) => change({ prompt: event.target.value })}
          />
        )}
      </Field>
      {prompt !== builtIn.systemPrompt && (
        <Button size="sm" className="self-start" onClick={() => applyNow({ prompt: builtIn.systemPrompt })}>
          {t('usage.resetPrompt')}
        </Button>
      )}
      <Field label={t('usage.suffix')}>
        {(ids) => (
          <Textarea
            {...ids}
            mono
            rows={3}
            value={suffix}
            onChange={(event) => change({ suffix: event.target.value })}
          />
        )}
      </Field>
      <fieldset className="flex flex-col gap-1">
        <legend className="font-medium">{t('usage.toolsOffered')}</legend>
        <p className="text-small text-fg-3">{t('usage.toolsHint')}</p>
        {tools.map((tool) => (
          <ToolChoice
            key={tool.name}
            tool={tool}
            isOffered={!excluded.includes(tool.name)}
            own={descriptions[tool.name]}
            isOpen={described === tool.name}
            onOffer={(isOffered) => offer(tool.name, isOffered)}
            onOpen={(open) => setDescribed(open ? tool.name : undefined)}
            onDescribe={(text) => change({ descriptions: { ...descriptions, [tool.name]: text } })}
          />
        ))}
      </fieldset>
      {stored !== null && (
        <Button className="self-start" onClick={() => onSave(null)}>
          {t('usage.resetProfile')}
        </Button>
      )}
    </form>
  );
};

/** Whether both store the same. The order of keys does not matter. */
const isSame = (a: Profile | null, b: Profile | null): boolean => ordered(a) === ordered(b);

const ordered = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

interface ToolChoiceProps {
  tool: ProfilesState['builtIn']['tools'][number];
  isOffered: boolean;
  /** The description that the person wrote. */
  own: string | undefined;
  isOpen: boolean;
  onOffer(isOffered: boolean): void;
  onOpen(isOpen: boolean): void;
  onDescribe(text: string): void;
}

/** Whether the model gets a tool, and with which description. */
const ToolChoice = (props: ToolChoiceProps) => {
  const { tool, isOffered, own, isOpen, onOffer, onOpen, onDescribe } = props;
  const { name, description, required } = tool;
  const t = useT();
  return (
    <div className="flex flex-col gap-1">
      <div className="flex min-h-7 items-center gap-2">
        <label className="flex min-w-0 grow items-center gap-2">
          <input
            type="checkbox"
            className="shrink-0 accent-accent"
            checked={isOffered}
            disabled={required}
            onChange={(event) => onOffer(event.target.checked)}
          />
          <span className="truncate font-mono text-small">{name}</span>
        </label>
        {own !== undefined && own !== description && (
          <span className="text-small text-fg-3">{t('usage.changed')}</span>
        )}
        {description !== '' && (
          <Button
            size="sm"
            variant="ghost"
            aria-expanded={isOpen}
            aria-label={t('usage.changeDescription', { tool: name })}
            onClick={() => onOpen(!isOpen)}
          >
            {t('usage.description')}
          </Button>
        )}
      </div>
      {isOpen && (
        <Textarea
          aria-label={t('usage.describe', { tool: name })}
          mono
          rows={5}
          value={own ?? description}
          onChange={(event) => onDescribe(event.target.value)}
        />
      )}
    </div>
  );
};
