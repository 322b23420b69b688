import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import { optional } from '../../contract/shared/optional';
import { parseModelRef } from '../../models/registry';
import type { Storage } from '../../storage';
import type { Connection } from '../window/connection';
import type { Hub } from '../window/hub';

/** Handlers for the person's settings. */
export function settingsHandlers({
  storage,
  hub,
}: {
  storage: Storage;
  hub: Hub;
}): HandlersOf<'settings', Connection> {
  return {
    'settings.change': (changes) => {
      for (const model of changes.fallbacks ?? []) {
        const ref = parseModelRef(model);
        if (!ref.ok) return ref;
      }
      const settings = storage.settings.change(optional(changes));
      hub.app({ type: 'settings.changed', settings });
      return ok(settings);
    },
  };
}
