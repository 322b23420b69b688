import { type FormEvent, useId, useState } from 'react';
import { useT } from '../../i18n';
import { call, toast, useApp } from '../../link';
import { Button, FieldError, Input, useBusy } from '../../ui';
import { useProviderUndo } from './use-provider-undo';
import type { NamedProvider } from './use-providers';

interface KeyFormProps {
  provider: NamedProvider;
  /** Called after the key is saved, or when the person cancels. */
  onDone(): void;
}

/**
 * Sends a key to the main process. It has a separate password field: the key is never in React state, never in the document
 * as text, and is cleared from the field after it is sent.
 */
export const KeyForm = ({ provider, onDone }: KeyFormProps) => {
  const t = useT();
  const offerUndo = useProviderUndo(provider);
  const keychain = useApp((app) => app.models.keychain);
  const [busy, during] = useBusy();
  const [error, setError] = useState<string>();
  const errorId = useId();
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('key');
    if (!(field instanceof HTMLInputElement)) return;
    const key = field.value.trim();
    if (key === '' || busy) return;
    const result = await during(call('models.setKey', { provider: provider.id, key }));
    setError(result.ok ? undefined : result.error.message);
    if (!result.ok) return;
    field.value = '';
    if (provider.needsBaseUrl) void call('models.refresh', {});
    if (!offerUndo('key')) toast(t('settings.keySaved'));
    onDone();
  };
  return (
    <form className="flex flex-col gap-2" onSubmit={(event) => void save(event)}>
      <div className="flex gap-2">
        <Input
          name="key"
          type="password"
          autoFocus
          autoComplete="off"
          spellCheck={false}
          aria-label={t('settings.keyFor', { provider: provider.name })}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          placeholder={t('settings.keyPlaceholder')}
        />
        <Button variant="ghost" onClick={onDone}>
          {t('settings.cancel')}
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          {t('settings.saveKey')}
        </Button>
      </div>
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
      <p className="text-small text-fg-3">
        {t(keychain ? 'settings.keyNeverShown' : 'settings.keyForThisRun')}
      </p>
    </form>
  );
};
