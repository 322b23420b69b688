import type { ProviderState } from '@contract/app';
import { UNDO_PROVIDER_WITHIN } from '@contract/limits';
import { useT } from '../../i18n';
import { call, toast, useOfferUndo } from '../../link';

/**
 * Offers a way back for the key or the address of a provider. What there was before stays in the main process: a key is
 * shown nowhere, and is forgotten with the offer. Answers false outside of the settings, where nothing says the change.
 */
export function useProviderUndo(provider: ProviderState): (what: 'key' | 'address') => boolean {
  const t = useT();
  const offerUndo = useOfferUndo();
  return (what) => {
    const answer = (back: boolean) => call('models.undo', { provider: provider.id, what, back });
    return offerUndo({
      setting: t(what === 'key' ? 'settings.keyFor' : 'settings.addressFor', { provider: provider.name }),
      undo: async () => {
        const result = await answer(true);
        if (!result.ok) toast(result.error.message);
        return result.ok;
      },
      forget: () => void answer(false),
      place: `${what} ${provider.id}`,
      within: UNDO_PROVIDER_WITHIN,
    });
  };
}
