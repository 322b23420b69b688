import { useEffect } from 'react';
import { useT } from '../../i18n';
import { onHostEvent, openSettings, toast } from '../../link';

/** Says once that a new version will be installed, wherever the person is in the window. */
export function useUpdateNotice(): void {
  const t = useT();
  useEffect(
    () =>
      onHostEvent('updates.changed', ({ updates: { state } }) => {
        if (state.phase !== 'ready') return;
        toast(t('updates.ready', { version: state.version }), {
          label: t('updates.show'),
          run: () => openSettings('about'),
        });
      }),
    [t],
  );
}
