import { digestOf } from '../../approvals/digest';
import type { Gate, GateCall, Question } from '../../approvals/gate';
import { sourcesNamed } from '../../approvals/outside-sources';
import type { Approval } from '../../contract/approvals';
import { because, type Reasons } from '../../contract/shared/reasons';
import type { BackendProtocol, FilesystemPermission } from '../../harness';
import { operationOf, pathVerdicts } from '../../harness/agent/path-rules';

/** The verdict on a call by its paths. */
type PathVerdict =
  | { mode: 'allow' }
  | { mode: 'deny'; path: string; reason?: Reasons }
  | { mode: 'ask'; reason: Reasons; risk?: Approval['risk'] };

export type PathVerdicts = (tool: string, args: Record<string, unknown>) => Promise<PathVerdict>;

/**
 * A gate that applies path rules first. It denies and asks as they say, even if the inner gate would allow the call; the
 * inner gate decides everything else. Throws on invalid globs.
 */
export function permissionGate(
  gate: Gate,
  permissions: readonly FilesystemPermission[],
  backend: BackendProtocol,
): Gate {
  if (permissions.length === 0) return gate;
  const verdictOf = pathVerdicts(permissions, backend);
  return gateByPaths(gate, async (tool, args) => {
    const { verdict, path } = await verdictOf(tool, args);
    if (verdict.mode === 'deny') return { mode: 'deny', path };
    if (verdict.mode === 'allow') return { mode: 'allow' };
    const { reason, rules } = verdict;
    const why =
      reason === undefined
        ? because('rule_asks', { rules: rules.join(', ') })
        : because('external', { text: reason });
    return { mode: 'ask', reason: [why] };
  });
}

/** The same with any other judgment of paths. */
export function gateByPaths(gate: Gate, verdictOf: PathVerdicts): Gate {
  return {
    judge: async (call, signal, past = {}) => {
      const operation = operationOf(call.tool);
      const verdict = await verdictOf(call.tool, call.args);
      if (verdict.mode === 'deny')
        return {
          verdict: 'deny',
          reason: verdict.reason ?? [
            because(operation === 'write' ? 'path_write_denied' : 'path_read_denied', { path: verdict.path }),
          ],
        };
      const behind = await gate.judge(call, signal, past);
      if (verdict.mode === 'allow' || behind.verdict === 'deny') return behind;
      const { reason } = verdict;
      if (behind.verdict === 'ask') {
        const sources = sourcesNamed(behind.question.reason);
        return {
          verdict: 'ask',
          question: { ...behind.question, reason: [...sources, ...reason], risk: 'high' },
        };
      }
      const asked = await gate.judge(call, signal, { ...past, answered: true });
      const question = asked.verdict === 'ask' ? asked.question : plainQuestion(call);
      const risk = verdict.risk ?? (operation === 'write' ? 'medium' : 'low');
      return { verdict: 'ask', question: { ...question, reason, risk } };
    },
  };
}

/** For gates that only allow and deny. */
const plainQuestion = (call: GateCall): Omit<Question, 'reason' | 'risk'> => ({
  preview: { kind: 'arguments', json: JSON.stringify(call.args, null, 2) },
  allowed: ['approve', 'edit', 'reject', 'respond'],
  digest: digestOf(call, '', undefined),
});
