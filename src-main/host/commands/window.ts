import { fail, ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import type { ProjectRegistry } from '../project/projects';
import type { Connection } from '../window/connection';
import type { ShellServices } from '../window/desktop-services';

/** Handlers for windows. */
export function windowHandlers({
  storage,
  projects,
  shell,
}: {
  storage: Storage;
  projects: ProjectRegistry;
  shell: ShellServices;
}): HandlersOf<'window', Connection> {
  return {
    'window.open': ({ view }) =>
      shell.openWindow === undefined
        ? fail('unsupported', 'no_windows')
        : ok({ views: [...shell.openWindow(view)] }),
    'window.front': async (_input, connection) => {
      connection.toFront();
      await Promise.all(storage.projects.list().map(({ id }) => projects.look(id)));
      return ok({});
    },
    'window.erased': ({ threads }) => ok({ threads: storage.threads.erased(threads) }),
    'window.flush': () => {
      shell.flushPages?.();
      return ok({});
    },
  };
}
