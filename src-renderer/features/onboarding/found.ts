import type { ProviderState } from '@contract/app';

/** A model service that can be used without setup. */
export interface FoundModel {
  provider: ProviderState;
  /** The name of its first model. */
  name: string;
  /** The environment variable with its key. */
  variable?: string;
  /** Where its server runs. */
  address: string;
}

const OLLAMA = 'http://127.0.0.1:11434';

/** The services with a key in the environment, or with a server that answered, if they have a model. */
export const foundModels = (providers: readonly ProviderState[]): FoundModel[] =>
  providers.flatMap((provider) => {
    const [first] = provider.models;
    if (provider.id === 'offline' || !provider.ready || first === undefined) return [];
    const address = provider.baseUrl ?? (provider.id === 'ollama' ? OLLAMA : '');
    const { keyVariable } = provider;
    if (provider.key === 'environment' && keyVariable !== undefined)
      return [{ provider, name: first.name, variable: keyVariable, address }];
    return provider.key === 'none' && provider.tested === true
      ? [{ provider, name: first.name, address }]
      : [];
  });
