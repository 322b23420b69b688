import { digestOf, type Gate, type GateCall, type Question } from '../../approvals/gate';
import {
  type FilesystemOperation,
  type FilesystemPermission,
  PermissionRules,
  placesOf,
  type Verdict,
} from '../backends/permissions';
import type { BackendProtocol } from '../backends/protocol';
import { canonicalArguments } from '../tools/arguments';

/** Where a tool names its place, what it does there, and whether it looks at or takes along what lies below. */
const PLACES: Record<string, { argument: string; operation: FilesystemOperation; below: boolean }> = {
  ls: { argument: 'path', operation: 'read', below: true },
  glob: { argument: 'path', operation: 'read', below: true },
  grep: { argument: 'path', operation: 'read', below: true },
  read_file: { argument: 'file_path', operation: 'read', below: false },
  write_file: { argument: 'file_path', operation: 'write', below: false },
  edit_file: { argument: 'file_path', operation: 'write', below: false },
  delete: { argument: 'file_path', operation: 'write', below: true },
};

/** The places that a call of a file tool names: as it says them, and where links lead. Null for other tools. */
export async function placesOfCall(
  tool: string,
  args: Record<string, unknown>,
  backend: BackendProtocol,
): Promise<{ operation: FilesystemOperation; below: boolean; paths: readonly string[] } | null> {
  const place = PLACES[tool];
  if (place === undefined) return null;
  // A search that names no place searches everything.
  const named = args[place.argument] ?? (place.argument === 'path' ? '/' : undefined);
  const { operation, below } = place;
  return { operation, below, paths: await placesOf(backend, named) };
}

/** What is to be done about a call by the paths that it names, with the path that it is about. */
export type PathVerdicts = (
  tool: string,
  args: Record<string, unknown>,
) => Promise<{ verdict: Verdict & { risk?: 'medium' | 'high' }; path: string }>;

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
      const place = PLACES[call.tool];
      const { verdict, path } = await verdictOf(call.tool, call.args);
      if (verdict.mode === 'deny')
        return { verdict: 'deny', reason: `permission denied for ${place?.operation} on ${path}` };
      const behind = await gate.judge(call, signal, past);
      if (verdict.mode === 'allow' || behind.verdict === 'deny') return behind;
      const reason = verdict.reason ?? `A rule asks for it: ${verdict.rules.join(', ')}`;
      if (behind.verdict === 'ask')
        return { verdict: 'ask', question: { ...behind.question, reason, risk: 'high' } };
      const asked = await gate.judge(call, signal, { ...past, answered: true });
      const question = asked.verdict === 'ask' ? asked.question : plainQuestion(call);
      const risk = verdict.risk ?? (place?.operation === 'write' ? 'medium' : 'low');
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

/** The strictest verdict of rules about paths on a call of a file tool, with the place it is about. */
function pathVerdicts(
  permissions: readonly FilesystemPermission[],
  backend: BackendProtocol,
): (tool: string, args: Record<string, unknown>) => Promise<{ verdict: Verdict; path: string }> {
  const rules = new PermissionRules(permissions);
  return async (tool, args) => {
    const places = rules.isEmpty ? null : await placesOfCall(tool, args, backend);
    if (places === null) return ALLOWED;
    let strict = ALLOWED;
    for (const path of places.paths) {
      const verdict = rules.beforehand(places.operation, path, places.below);
      if (verdict.mode === 'deny') return { verdict, path };
      if (verdict.mode === 'interrupt') strict = { verdict, path };
    }
    return strict;
  };
}

/** Why a rule about paths wants a call asked about; null where none does. What is denied is not asked about. */
export function askedByRules(
  permissions: readonly FilesystemPermission[],
  backend: BackendProtocol,
): (tool: string, args: Record<string, unknown>) => Promise<string | null> {
  const verdictOf = pathVerdicts(permissions, backend);
  return async (tool, args) => {
    const { verdict } = await verdictOf(tool, canonicalArguments(tool, args));
    if (verdict.mode !== 'interrupt') return null;
    return verdict.reason ?? `A rule asks for it: ${verdict.rules.join(', ')}`;
  };
}

const ALLOWED: { verdict: Verdict; path: string } = { verdict: { mode: 'allow', rules: [] }, path: '' };
