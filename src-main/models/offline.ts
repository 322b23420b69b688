import type { Provider } from './provider';

export const offline: Provider = {
  id: 'offline',
  needsKey: false,
  needsBaseUrl: false,
  keyVariables: [],
  models: [{ name: 'guide', label: 'guide', contextWindow: 200_000 }],
  create: async () => {
    const { OfflineModel } = await import('./offline/offline-model');
    return new OfflineModel();
  },
};
