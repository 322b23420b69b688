import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import { optional } from '../../contract/shared/optional';
import { parseModelRef } from '../../models/registry';
import type { Storage } from '../../storage';
import type { Updates } from '../../updates/updates';
import type { Connection } from '../window/connection';
import type { Hub } from '../window/hub';

/** Handlers for the person's settings. */
export function settingsHandlers({
  storage,
  hub,
  updates,
}: {
  storage: Storage;
  hub: Hub;
  updates: Updates;
}): HandlersOf<'settings', Connection> {
  return {
    'settings.change': (changes) => {
      for (const model of changes.fallbacks ?? []) {
        const ref = parseModelRef(model);
        if (!ref.ok) return ref;
      }
      const settings = storage.settings.change(optional(changes));
      if (changes.updates !== undefined) updates.switched(changes.updates);
      hub.app({ type: 'settings.changed', settings });
      return ok(settings);
    },
  };
}
