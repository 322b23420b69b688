import { fail, ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Updates } from '../../updates/updates';
import type { Connection } from '../window/connection';
import { type AtWork, type DesktopServices, isAtWork } from '../window/desktop-services';

/** Handlers for new versions of the app. */
export function updatesHandlers({
  updates,
  desktop,
  atWork,
}: {
  updates: Updates;
  desktop: DesktopServices;
  atWork: () => AtWork;
}): HandlersOf<'updates', Connection> {
  return {
    'updates.read': () => ok(updates.view),
    'updates.check': () => {
      updates.check();
      return ok(updates.view);
    },
    'updates.cancel': async () => {
      await updates.cancel();
      return ok(updates.view);
    },
    'updates.restart': () => {
      const { state } = updates.view;
      if (state.phase !== 'ready' || !state.restarts || desktop.restart === undefined)
        return fail('conflict', 'update_not_ready');
      if (isAtWork(atWork())) return fail('conflict', 'update_agent_at_work');
      desktop.restart();
      return ok({});
    },
  };
}
