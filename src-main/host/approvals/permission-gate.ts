import { digestOf, type Gate, type GateCall, type Question } from '../../approvals/gate';
import { operationOf, type PathVerdicts, pathVerdicts } from '../../harness/agent/path-rules';
import type { FilesystemPermission } from '../../harness/backends/permissions';
import type { BackendProtocol } from '../../harness/backends/protocol';

/**
 * A gate that goes by rules about paths first: what they deny is denied, what they want asked is asked even where the
 * gate behind would allow it, all else is for the gate behind. Throws on globs that are none.
 */
export const permissionGate = (
  gate: Gate,
  permissions: readonly FilesystemPermission[],
  backend: BackendProtocol,
): Gate => (permissions.length === 0 ? gate : gateByPaths(gate, pathVerdicts(permissions, backend)));

/** The same for paths that are judged in any other way. */
export function gateByPaths(gate: Gate, verdictOf: PathVerdicts): Gate {
  return {
    judge: async (call, signal, past = {}) => {
      const operation = operationOf(call.tool);
      const { verdict, path } = await verdictOf(call.tool, call.args);
      if (verdict.mode === 'deny')
        return { verdict: 'deny', reason: `permission denied for ${operation} on ${path}` };
      const behind = await gate.judge(call, signal, past);
      if (verdict.mode === 'allow' || behind.verdict === 'deny') return behind;
      const reason = verdict.reason ?? `A rule asks for it: ${verdict.rules.join(', ')}`;
      if (behind.verdict === 'ask')
        return { verdict: 'ask', question: { ...behind.question, reason, risk: 'high' } };
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
