import type { UpdateView } from '@contract/updates';
import { useEffect, useState } from 'react';
import { call, onHostEvent } from '../../link';

/** Whether there is a new version of the app. Undefined until the main process answers. */
export function useUpdates(): UpdateView | undefined {
  const [view, setView] = useState<UpdateView>();
  useEffect(() => {
    let wanted = true;
    // An event is newer than the answer to a question from before it.
    let heard = false;
    const stop = onHostEvent('updates.changed', (event) => {
      heard = true;
      setView(event.updates);
    });
    void call('updates.read', {}).then((result) => {
      if (wanted && !heard && result.ok) setView(result.value);
    });
    return () => {
      wanted = false;
      stop();
    };
  }, []);
  return view;
}
