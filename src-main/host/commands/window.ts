import { fail, ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import type { ProjectRegistry } from '../project/projects';
import type { Connection } from '../window/connection';
import type { DesktopServices } from '../window/desktop-services';

export function windowHandlers({
  storage,
  projects,
  desktop,
}: {
  storage: Storage;
  projects: ProjectRegistry;
  desktop: DesktopServices;
}): HandlersOf<'window', Connection> {
  return {
    'window.open': ({ view }) =>
      desktop.openWindow === undefined
        ? fail('unsupported', 'no_windows')
        : ok({ views: [...desktop.openWindow(view)] }),
    'window.front': async (_input, connection) => {
      connection.toFront();
      await Promise.all(storage.projects.list().map(({ id }) => projects.checkFolder(id)));
      return ok({});
    },
    'window.erased': ({ threads }) => ok({ threads: storage.threads.erased(threads) }),
    'window.flush': () => {
      desktop.flushPages?.();
      return ok({});
    },
  };
}
