import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Connection } from '../window/connection';
import type { DesktopServices } from '../window/desktop-services';

export function menuHandlers({ desktop }: { desktop: DesktopServices }): HandlersOf<'menu', Connection> {
  return {
    'menu.set': (model, connection) => {
      desktop.setMenu?.(model, (id) => connection.send({ type: 'run.action', id }));
      return ok({});
    },
  };
}
