import { fail } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Connection } from '../window/connection';

/** What the window asks of commands that ran in a throwaway layer. */
export function rehearsalHandlers(): HandlersOf<'rehearsal', Connection> {
  return {
    'rehearsal.diff': async () => fail('not_found', 'call_not_pending'),
    'rehearsal.available': async () => fail('unsupported', 'no_rehearsals'),
  };
}
