import type { ModelTest } from '@contract/commands/models';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { useState } from 'react';
import { modelTestWords, useFormats, useT } from '../../i18n';
import { call, useApp } from '../../link';
import { Button, ErrorNote, useBusy } from '../../ui';
import { type FoundModel, foundModels } from './found';

interface FoundModelsProps {
  /** `provider:name` of the thread's model. */
  model: string;
  /** Uses the model from now on. */
  onModel(model: string): void;
}

/** Model services that need no setup: keys in the environment, and servers on this machine. One click uses one. */
export const FoundModels = ({ model, onModel }: FoundModelsProps) => {
  const t = useT();
  const providers = useApp((app) => app.models.providers);
  const found = foundModels(providers);
  if (found.length === 0) return null;
  return (
    <ul aria-label={t('onboarding.found')} className="mt-2 flex flex-col gap-1.5">
      {found.map((one) => (
        <FoundRow key={one.provider.id} found={one} model={model} onModel={onModel} />
      ))}
    </ul>
  );
};

const FoundRow = ({ found, model, onModel }: FoundModelsProps & { found: FoundModel }) => {
  const t = useT();
  const formats = useFormats();
  const [busy, during] = useBusy();
  const [failed, setFailed] = useState<ModelTest>();
  const [error, setError] = useState<string>();
  const { provider, name } = found;
  const isUsed = model.startsWith(`${provider.id}:`);
  const isTested = provider.tested === true;
  const use = async () => {
    setFailed(undefined);
    setError(undefined);
    // A server on this machine has answered already. A key is used once before it counts as right.
    if (!isTested) {
      const result = await during(call('models.test', { provider: provider.id, model: name }));
      if (!result.ok) return setError(result.error.message);
      if (result.value.outcome !== 'answered') return setFailed(result.value);
    }
    onModel(`${provider.id}:${name}`);
  };
  const Icon = isTested ? CircleCheck : CircleDashed;
  return (
    <li className="flex flex-col gap-1.5 rounded-card border border-line px-3 py-1.5">
      <div className="flex items-center gap-2">
        <Icon aria-hidden size={14} className={isTested ? 'shrink-0 text-ok' : 'shrink-0 text-fg-3'} />
        <span className="flex min-w-0 grow flex-col">
          <span className="truncate font-medium">
            {t(`providers.${provider.id}`)} · {name}
          </span>
          <span className="truncate text-small text-fg-3">
            {found.variable === undefined
              ? t('onboarding.foundServer', { address: found.address, count: provider.models.length })
              : t('onboarding.foundKey', { variable: found.variable })}
            {isTested && ` · ${t('settings.ready')}`}
          </span>
        </span>
        <Button
          size="sm"
          className="h-7"
          busy={busy}
          disabled={isUsed}
          aria-label={t('onboarding.useModel', { model: name })}
          onClick={() => void use()}
        >
          {t(isUsed ? 'onboarding.used' : busy ? 'onboarding.testing' : 'settings.use')}
        </Button>
      </div>
      {error !== undefined && <ErrorNote message={error} />}
      {failed !== undefined && (
        <ErrorNote message={modelTestWords(t, failed, formats)} detail={failed.detail} />
      )}
    </li>
  );
};
