import type { ProviderState } from '@contract/app';
import { useMemo } from 'react';
import { useT } from '../../i18n';
import { useApp } from '../../link';

export type NamedProvider = ProviderState & { name: string };

/** Every provider with its name and models. Names that are not brands are in the person's language. */
export function useProviders(): NamedProvider[] {
  const t = useT();
  const providers = useApp((app) => app.models.providers);
  return useMemo(
    () =>
      providers.map((provider) => {
        const name = t(`providers.${provider.id}`);
        // The only model of the offline assistant is the assistant itself.
        const models =
          provider.id === 'offline'
            ? provider.models.map((model) => ({ ...model, label: name }))
            : provider.models;
        return { ...provider, name, models };
      }),
    [providers, t],
  );
}
