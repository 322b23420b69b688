import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Sandboxes } from '../project/access/sandboxes';
import type { Connection } from '../window/connection';

export function sandboxHandlers({ sandboxes }: { sandboxes: Sandboxes }): HandlersOf<'sandbox', Connection> {
  return { 'sandbox.read': async () => ok(await sandboxes.details()) };
}
