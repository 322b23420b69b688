import { createHash, randomUUID } from 'node:crypto';
import type { Approval } from '../../../contract/approvals';
import { ApprovalId, CallId } from '../../../contract/ids';
import { because } from '../../../contract/shared/reasons';
import { TOOLS } from '../../../harness/tools/catalogue';
import type { CommandRunnerOptions } from '../../../terminal/command-runner';
import { findCall } from '../../memories/memories';
import type { LiveThread } from '../../threads/live-thread';
import type { CallLayers } from '../run/call-layers';
import type { RunServices, RunSetting } from '../run/run-services';
import { askDuringCall } from './ask-during-call';

/**
 * Asks whether a command in a layer that reached its time limit may continue; it keeps running until the answer. Null: stop it.
 * Where nobody could answer, the start option decides.
 */
export function askForTime(
  services: Pick<RunServices, 'storage' | 'hub' | 'editors'>,
  { hasPerson, overtime }: Pick<RunSetting, 'hasPerson' | 'overtime'>,
  live: LiveThread,
  layers: () => CallLayers,
): NonNullable<CommandRunnerOptions['moreTime']> {
  return async ({ callId: id, timeoutMs }, over) => {
    if (id === undefined || !layers().asksForTime(id)) return null;
    const approval = approvalOf(live, CallId.parse(id), Math.round(timeoutMs / 1_000));
    if (overtime !== undefined) return (await overtime(approval, over)) ? timeoutMs : null;
    if (!hasPerson() || services.editors.of(live.id) !== null || live.state.turn.phase !== 'running')
      return null;
    const decision = await askDuringCall(services, live, approval, over);
    return decision?.type === 'wait' ? timeoutMs : null;
  };
}

function approvalOf(live: LiveThread, callId: CallId, seconds: number): Approval {
  const call = findCall(live.state.messages, callId);
  const id = randomUUID();
  return {
    id: ApprovalId.parse(id),
    threadId: live.id,
    callId,
    tool: call?.name ?? TOOLS.execute.name,
    args: {},
    preview: { kind: 'timeout', command: String(call?.args.command ?? ''), seconds },
    reason: [because('still_running', { seconds })],
    risk: 'low',
    allowed: ['wait', 'reject'],
    digest: createHash('sha256').update(id).digest('hex'),
    at: Date.now(),
  };
}
