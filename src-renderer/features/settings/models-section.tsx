import { RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useT } from '../../i18n';
import { call, useApp } from '../../link';
import { Button, ErrorNote, MoreMenu, useBusy, useFormFocus } from '../../ui';
import { AddressForm } from './address-form';
import { KeyForm } from './key-form';
import { ModelTest } from './model-test';
import { ProviderStanding } from './provider-state';
import { TitlesSwitch } from './titles-switch';
import { useProviderUndo } from './use-provider-undo';
import { type NamedProvider, useProviders } from './use-providers';

/** Every provider with its key source and its URL, to set and to remove. */
export const ModelsSection = () => {
  const t = useT();
  const providers = useProviders();
  const keychain = useApp((app) => app.models.keychain);
  const [busy, during] = useBusy();
  const [error, setError] = useState<string>();
  const refresh = async () => {
    const result = await during(call('models.refresh', {}));
    setError(result.ok ? undefined : result.error.message);
  };
  return (
    <div className="flex flex-col gap-4">
      {!keychain && <ErrorNote tone="ask" message={t('settings.noKeychain')} />}
      {error !== undefined && <ErrorNote message={error} />}
      <ul className="flex flex-col">
        {providers.map((provider) => (
          <Provider key={provider.id} provider={provider} />
        ))}
      </ul>
      <div className="flex items-center gap-3">
        <Button busy={busy} icon={<RefreshCw size={14} />} onClick={() => void refresh()}>
          {t('settings.refresh')}
        </Button>
        <span className="text-small text-fg-3">{t('settings.refreshHint')}</span>
      </div>
      <TitlesSwitch />
    </div>
  );
};

const Provider = ({ provider }: { provider: NamedProvider }) => {
  const t = useT();
  const offerUndo = useProviderUndo(provider);
  const [form, setForm] = useState<'none' | 'key' | 'address'>('none');
  const keyFocus = useFormFocus(form === 'key');
  const addressFocus = useFormFocus(form === 'address');
  const [error, setError] = useState<string>();
  const close = () => setForm('none');
  const removeKey = async () => {
    const result = await call('models.setKey', { provider: provider.id, key: null });
    setError(result.ok ? undefined : result.error.message);
    if (result.ok) offerUndo('key');
  };
  const isOwnKey = provider.key === 'keychain' || provider.key === 'session';
  const hasAddress = provider.id !== 'offline';
  return (
    <li aria-label={provider.name} className="flex flex-col gap-2 border-b border-line py-3 first:pt-0">
      <div className="flex items-center gap-2">
        <h3 className="min-w-0 grow truncate text-title font-semibold">{provider.name}</h3>
        <ProviderStanding provider={provider} />
      </div>
      {provider.id === 'offline' && <p className="text-fg-2">{t('settings.offlineNote')}</p>}
      {error !== undefined && <ErrorNote message={error} />}
      {(provider.needsKey || provider.key !== 'none' || provider.keyVariable !== undefined) &&
        (form === 'key' ? (
          <div ref={keyFocus.form}>
            <KeyForm provider={provider} onDone={close} />
          </div>
        ) : (
          <Line label={t('settings.key')} value={<KeySource provider={provider} />}>
            <Button ref={keyFocus.opener} size="sm" onClick={() => setForm('key')}>
              {t(provider.key === 'none' ? 'settings.enterKey' : 'settings.changeKey')}
            </Button>
            {isOwnKey && (
              <MoreMenu
                label={t('settings.moreFor', { name: provider.name })}
                items={[{ label: t('settings.removeKey'), danger: true, onSelect: () => void removeKey() }]}
              />
            )}
          </Line>
        ))}
      {hasAddress &&
        (form === 'address' ? (
          <div ref={addressFocus.form}>
            <AddressForm provider={provider} onDone={close} />
          </div>
        ) : (
          <Line
            label={t('settings.address')}
            value={
              provider.baseUrl === null ? (
                t(provider.needsBaseUrl ? 'settings.needsAddress' : 'settings.addressOwn')
              ) : (
                <span className="selectable font-mono text-code">{provider.baseUrl}</span>
              )
            }
          >
            <Button ref={addressFocus.opener} size="sm" onClick={() => setForm('address')}>
              {t('settings.setAddress')}
            </Button>
          </Line>
        ))}
      {hasAddress && form === 'none' && <ModelTest provider={provider} />}
    </li>
  );
};

interface LineProps {
  label: string;
  value: ReactNode;
  children: ReactNode;
}

const Line = ({ label, value, children }: LineProps) => (
  <div className="flex min-h-6 items-center gap-2">
    <span className="w-16 shrink-0 text-fg-3">{label}</span>
    <span className="min-w-0 grow break-words text-fg-2">{value}</span>
    <span className="flex shrink-0 gap-1.5">{children}</span>
  </div>
);

const KeySource = ({ provider }: { provider: NamedProvider }) => {
  const t = useT();
  switch (provider.key) {
    case 'none':
      return t('settings.keyNone');
    case 'environment':
      return (
        <span title={t('settings.keyOfEnvironment')}>
          {t('settings.keyEnvironment', { variable: provider.keyVariable ?? '' })}
        </span>
      );
    case 'keychain':
      return t('settings.keyKeychain');
    case 'session':
      return t('settings.keySession');
    default:
      return provider.key satisfies never;
  }
};
