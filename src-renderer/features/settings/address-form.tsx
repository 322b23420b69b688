import { useState } from 'react';
import { useT } from '../../i18n';
import { call, toast } from '../../link';
import { Button, Field, Input, isWebAddress, useBusy, withScheme } from '../../ui';
import { useProviderUndo } from './use-provider-undo';
import type { NamedProvider } from './use-providers';

interface AddressFormProps {
  provider: NamedProvider;
  onDone(): void;
}

/** Sets the URL of a provider; an empty one resets it to the default. */
export const AddressForm = ({ provider, onDone }: AddressFormProps) => {
  const t = useT();
  const offerUndo = useProviderUndo(provider);
  const [address, setAddress] = useState(provider.baseUrl ?? '');
  const [error, setError] = useState<string>();
  const [busy, during] = useBusy();
  const save = async () => {
    const baseUrl = withScheme(address.trim());
    const isEmptyAllowed = !provider.needsBaseUrl || provider.baseUrl !== null;
    if (baseUrl === '' ? !isEmptyAllowed : !isWebAddress(baseUrl)) {
      setError(t('settings.addressInvalid'));
      return;
    }
    const result = await during(
      call('models.setBaseUrl', {
        provider: provider.id,
        baseUrl: baseUrl === '' ? null : baseUrl,
      }),
    );
    setError(result.ok ? undefined : result.error.message);
    if (!result.ok) return;
    // Another server has other models.
    void call('models.refresh', {});
    if (!offerUndo('address')) toast(t('settings.addressSaved'));
    onDone();
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label={t('settings.addressFor', { provider: provider.name })}
        hint={t(provider.needsBaseUrl ? 'settings.addressHintNeeded' : 'settings.addressHint')}
        error={error}
      >
        {(ids) => (
          <Input
            {...ids}
            autoFocus
            mono
            spellCheck={false}
            autoComplete="off"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onClick={onDone}>
          {t('settings.cancel')}
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          {t('settings.saveAddress')}
        </Button>
      </div>
    </form>
  );
};
