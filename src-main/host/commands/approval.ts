import type { HandlersOf } from '../../contract/rpc';
import { checkEdited, type RuleParts } from '../approvals/rules-and-modes';
import { wouldRun } from '../approvals/would-run';
import type { Connection } from '../window/connection';

/** Handlers for calls that wait for a decision. */
export function approvalHandlers(parts: RuleParts): HandlersOf<'approval', Connection> {
  return {
    'approval.check': (call, _connection, signal) => checkEdited(parts, call, signal),
    'approval.wouldRun': (calls, _connection, signal) => wouldRun(parts, calls, signal),
  };
}
