import type { ProviderState } from '@contract/app';
import { useMemo } from 'react';
import { useSaid } from '../../i18n';
import { useApp } from '../../link';

/** Every provider with its models, by names in the person's language where they are no names of somebody's. */
export function useProviders(): ProviderState[] {
  const said = useSaid();
  const providers = useApp((app) => app.models.providers);
  return useMemo(
    () =>
      providers.map((provider) => ({
        ...provider,
        name: said(provider.name),
        models: provider.models.map((model) => ({ ...model, label: said(model.label) })),
      })),
    [providers, said],
  );
}
