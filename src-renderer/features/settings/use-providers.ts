import type { ProviderState } from '@contract/app';
import { useMemo } from 'react';
import { useSaid } from '../../i18n';
import { useApp } from '../../link';

/** Every provider with its models. Names that are not brands are in the user's language. */
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
