import type { ThreadId } from '@contract/ids';
import { Check, ChevronDown } from 'lucide-react';
import { useRef, useState } from 'react';
import { useT } from '../../i18n';
import { call, openSettings, useApp, useThread } from '../../link';
import { Button, cx, ErrorNote, Input, Popover, useFocusBack } from '../../ui';
import { AddressForm } from './address-form';
import { KeyForm } from './key-form';
import { ProviderStanding } from './provider-state';
import { type NamedProvider, useProviders } from './use-providers';

/**
 * The model of a thread, or of new threads for null. A button opens the picker: every provider with its state and its
 * models, a free model name, and a form for a missing key or URL.
 */
export const ModelPicker = ({ threadId }: { threadId: ThreadId | null }) => {
  const t = useT();
  const [open, setOpen] = useState(false);
  const [error, setError] = useState<string>();
  const providers = useProviders();
  const usual = useApp((app) => app.settings.model);
  const own = useThread(threadId, ({ thread }) => thread.model);
  const current = own ?? usual;

  const choose = async (model: string) => {
    const result =
      threadId === null
        ? await call('settings.change', { model })
        : await call('thread.setModel', { threadId, model });
    setError(result.ok ? undefined : result.error.message);
    if (result.ok) setOpen(false);
  };
  const label = labelOf(providers, current);
  return (
    <Popover
      label={t('settings.model')}
      width="22.5rem"
      align="start"
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setError(undefined);
        // Servers may have started or stopped. The list stays usable during the search.
        if (next) void call('models.refresh', {});
      }}
      trigger={
        <Button
          variant="ghost"
          size="sm"
          className="min-w-0 shrink!"
          title={label}
          aria-label={t('settings.modelNow', { model: label })}
        >
          <span className="min-w-0 truncate">{label}</span>
          <ChevronDown aria-hidden size={14} className="shrink-0" />
        </Button>
      }
    >
      {error !== undefined && (
        <div className="p-2">
          <ErrorNote message={error} />
        </div>
      )}
      {providers.map((provider) => (
        <Provider
          key={provider.id}
          provider={provider}
          current={current}
          onChoose={(name) => void choose(`${provider.id}:${name}`)}
        />
      ))}
      <div className="p-1.5">
        <Button
          variant="ghost"
          size="sm"
          onClick={() => {
            setOpen(false);
            openSettings('models');
          }}
        >
          {t('settings.moreSettings')}
        </Button>
      </div>
    </Popover>
  );
};

interface ProviderProps {
  provider: NamedProvider;
  current: string;
  onChoose(name: string): void;
}

const Provider = ({ provider, current, onChoose }: ProviderProps) => {
  const t = useT();
  const [form, setForm] = useState<'none' | 'key' | 'address' | 'name'>('none');
  const close = () => setForm('none');
  const lacksKey = provider.needsKey && provider.key === 'none';
  const section = useRef<HTMLElement>(null);
  const [first] = useState(() => ({
    get current() {
      return section.current?.querySelector('button') ?? null;
    },
  }));
  const keepsFocus = useFocusBack(`${form} ${provider.ready} ${lacksKey}`, first);
  const known = new Set(provider.models.map((model) => model.name));
  const [currentProvider = '', ...rest] = current.split(':');
  const currentName = rest.join(':');
  const models =
    currentProvider === provider.id && !known.has(currentName)
      ? [...provider.models, { name: currentName, label: currentName }]
      : provider.models;

  return (
    <section
      ref={section}
      aria-label={provider.name}
      className="border-b border-line px-1.5 py-2"
      {...keepsFocus}
    >
      <div className="flex items-center gap-2 px-2 pb-1">
        <h3 className="min-w-0 grow truncate text-small font-medium text-fg-2">{provider.name}</h3>
        <ProviderStanding provider={provider} />
      </div>
      {provider.id === 'offline' && (
        <p className="px-2 pb-1 text-small text-fg-3">{t('settings.offlineNote')}</p>
      )}
      {(provider.ready
        ? models
        : models.filter((model) => model.name === currentName && currentProvider === provider.id)
      ).map((model) => (
        <ModelButton
          key={model.name}
          model={model}
          isCurrent={current === `${provider.id}:${model.name}`}
          onChoose={onChoose}
        />
      ))}
      {form === 'key' && (
        <div className="p-2">
          <KeyForm provider={provider} onDone={close} />
        </div>
      )}
      {form === 'address' && (
        <div className="p-2">
          <AddressForm provider={provider} onDone={close} />
        </div>
      )}
      {form === 'name' && <NameForm onChoose={onChoose} />}
      {form === 'none' && provider.id !== 'offline' && (
        <div className="flex flex-wrap gap-1">
          {lacksKey && (
            <Button size="sm" variant="ghost" onClick={() => setForm('key')}>
              {t('settings.enterKey')}
            </Button>
          )}
          {!provider.ready && !lacksKey && (
            <Button size="sm" variant="ghost" onClick={() => setForm('address')}>
              {t('settings.setAddress')}
            </Button>
          )}
          {provider.ready && (
            <Button size="sm" variant="ghost" onClick={() => setForm('name')}>
              {t('settings.otherModel')}…
            </Button>
          )}
        </div>
      )}
    </section>
  );
};

interface ModelButtonProps {
  model: { name: string; label: string };
  isCurrent: boolean;
  onChoose(name: string): void;
}

const ModelButton = ({ model, isCurrent, onChoose }: ModelButtonProps) => (
  <button
    type="button"
    aria-pressed={isCurrent}
    title={model.name}
    className={cx(
      'flex h-7 w-full items-center gap-2 rounded-control px-2 text-left -outline-offset-2 hover:bg-hover',
      isCurrent && 'bg-accent-soft hover:bg-accent-soft',
    )}
    onClick={() => onChoose(model.name)}
  >
    <span className="min-w-0 grow truncate">{model.label}</span>
    {isCurrent && <Check aria-hidden size={14} className="text-accent" />}
  </button>
);

/** Names a model that is not in the list. */
const NameForm = ({ onChoose }: { onChoose(name: string): void }) => {
  const t = useT();
  const [name, setName] = useState('');
  return (
    <form
      className="flex gap-2 p-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') onChoose(name.trim());
      }}
    >
      <Input
        autoFocus
        mono
        spellCheck={false}
        aria-label={t('settings.otherModel')}
        placeholder={t('settings.otherModelHint')}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" variant="primary" disabled={name.trim() === ''}>
        {t('settings.use')}
      </Button>
    </form>
  );
};

/** The label of `provider:name` if known, otherwise the name itself. */
function labelOf(providers: readonly NamedProvider[], model: string): string {
  const [id, ...rest] = model.split(':');
  const name = rest.join(':');
  const provider = providers.find((other) => other.id === id);
  return provider?.models.find((other) => other.name === name)?.label ?? name;
}
