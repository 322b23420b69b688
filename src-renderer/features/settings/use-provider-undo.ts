import { UNDO_PROVIDER_WITHIN } from '@contract/limits';
import { useT } from '../../i18n';
import { call, toast, useOfferUndo } from '../../link';
import type { NamedProvider } from './use-providers';

/**
 * Offers to undo a change of a provider's key or URL. The old value stays in the main process: a key is never shown, and is
 * deleted when the offer ends. Returns false outside of the settings, where nothing announces the change.
 */
export function useProviderUndo(provider: NamedProvider): (what: 'key' | 'address') => boolean {
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
