import { fail } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Connection } from '../window/connection';

/** What the window asks of commands that ran in a throwaway layer. */
export function rehearsalHandlers(): HandlersOf<'rehearsal', Connection> {
  return {
    'rehearsal.diff': async () => fail('not_found', 'This call no longer waits for a decision.'),
    'rehearsal.available': async () => fail('unsupported', 'Commands are not rehearsed yet.'),
  };
}
