import type { Profile, ProfileScope, ProfilesState } from '@contract/shared/profile';
import { useCallback, useEffect, useState } from 'react';
import { useT } from '../../i18n';
import { call, useApp, useOfferUndo } from '../../link';
import { Button, ErrorNote, Field, Select, Textarea } from '../../ui';
import { useProviders } from './use-providers';

/** The system prompt and the tools offered to a model: for all models, a provider, or one model. */
export const InstructionsSection = () => {
  const t = useT();
  const providers = useProviders();
  const current = useApp((app) => app.settings.model);
  const [state, setState] = useState<ProfilesState>();
  const [error, setError] = useState<string>();
  const [scope, setScope] = useState<ProfileScope>('*');
  const offerUndo = useOfferUndo();
  const read = useCallback(async () => {
    const result = await call('profiles.read', {});
    if (result.ok) setState(result.value);
    else setError(result.error.message);
  }, []);
  useEffect(() => {
    void read();
  }, [read]);

  if (state === undefined) return error === undefined ? null : <ErrorNote message={error} />;
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
    if (result.ok) await read();
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
      <Form
        key={`${scope} ${JSON.stringify(profile)}`}
        profile={profile}
        builtIn={state.builtIn}
        onSave={(next) => void save(next)}
      />
    </div>
  );
};

interface FormProps {
  profile: Profile | undefined;
  builtIn: ProfilesState['builtIn'];
  onSave(profile: Profile | null): void;
}

const Form = ({ profile = {}, builtIn, onSave }: FormProps) => {
  const t = useT();
  const [prompt, setPrompt] = useState(profile.systemPrompt ?? builtIn.systemPrompt);
  const [suffix, setSuffix] = useState(profile.systemPromptSuffix ?? '');
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set(profile.excludedTools));
  const [descriptions, setDescriptions] = useState<Readonly<Record<string, string>>>(
    profile.toolDescriptions ?? {},
  );
  const [described, setDescribed] = useState<string>();
  // Excluded tools of servers are listed too, because they are not among the built-in ones.
  const strangers = [...excluded].filter((name) => !builtIn.tools.some((tool) => tool.name === name));
  const tools = [...builtIn.tools, ...strangers.map((name) => ({ name, description: '', required: false }))];
  const save = () => {
    const own = Object.fromEntries(
      Object.entries(descriptions).filter(
        ([name, text]) => text !== builtIn.tools.find((tool) => tool.name === name)?.description,
      ),
    );
    const next: Profile = {
      ...(prompt === builtIn.systemPrompt ? {} : { systemPrompt: prompt }),
      ...(suffix.trim() === '' ? {} : { systemPromptSuffix: suffix }),
      ...(Object.keys(own).length === 0 ? {} : { toolDescriptions: own }),
      ...(excluded.size === 0 ? {} : { excludedTools: [...excluded] }),
    };
    onSave(Object.keys(next).length === 0 ? null : next);
  };
  const offer = (name: string, isOffered: boolean) => {
    const next = new Set(excluded);
    if (isOffered) next.delete(name);
    else next.add(name);
    setExcluded(next);
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Field label={t('usage.systemPrompt')} hint={t('usage.systemPromptHint')}>
        {(ids) => (
          <Textarea
            {...ids}
            mono
            rows={8}
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
          />
        )}
      </Field>
      {prompt !== builtIn.systemPrompt && (
        <Button size="sm" className="self-start" onClick={() => setPrompt(builtIn.systemPrompt)}>
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
            onChange={(event) => setSuffix(event.target.value)}
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
            isOffered={!excluded.has(tool.name)}
            own={descriptions[tool.name]}
            isOpen={described === tool.name}
            onOffer={(isOffered) => offer(tool.name, isOffered)}
            onOpen={(open) => setDescribed(open ? tool.name : undefined)}
            onDescribe={(text) => setDescriptions({ ...descriptions, [tool.name]: text })}
          />
        ))}
      </fieldset>
      <div className="flex gap-2">
        <Button type="submit" variant="primary">
          {t('usage.save')}
        </Button>
        {Object.keys(profile).length > 0 && (
          <Button variant="danger" onClick={() => onSave(null)}>
            {t('usage.resetProfile')}
          </Button>
        )}
      </div>
    </form>
  );
};

interface ToolChoiceProps {
  tool: ProfilesState['builtIn']['tools'][number];
  isOffered: boolean;
  /** The description that the user wrote. */
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
