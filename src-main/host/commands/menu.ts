import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Connection } from '../window/connection';
import type { ShellServices } from '../window/desktop-services';

/** Handlers for menus. */
export function menuHandlers({ shell }: { shell: ShellServices }): HandlersOf<'menu', Connection> {
  return {
    'menu.set': (model, connection) => {
      shell.setMenu?.(model, (id) => connection.send({ type: 'run.action', id }));
      return ok({});
    },
  };
}
