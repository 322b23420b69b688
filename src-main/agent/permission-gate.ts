import { digestOf, type Gate, type GateCall } from '../approvals/gate';
import {
  type FilesystemOperation,
  type FilesystemPermission,
  PermissionRules,
  placesOf,
  type Verdict,
} from '../backends/permissions';
import type { BackendProtocol } from '../backends/protocol';

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

/**
 * A gate that goes by rules about paths first: what they deny is denied, what they want asked is asked even where the
 * gate behind would allow it, all else is for the gate behind. Throws on globs that are none.
 */
export function permissionGate(
  gate: Gate,
  permissions: readonly FilesystemPermission[],
  backend: BackendProtocol,
): Gate {
  const rules = new PermissionRules(permissions);
  if (rules.isEmpty) return gate;
  return {
    judge: async (call, signal, begunBefore) => {
      const place = PLACES[call.tool];
      const said = place === undefined ? ALLOWED : await strictest(call, place);
      if (said.verdict.mode === 'deny')
        return { verdict: 'deny', reason: `permission denied for ${place?.operation} on ${said.path}` };
      const behind = await gate.judge(call, signal, begunBefore);
      if (said.verdict.mode === 'allow' || behind.verdict !== 'allow') return behind;
      return {
        verdict: 'ask',
        question: {
          preview: { kind: 'arguments', json: JSON.stringify(call.args, null, 2) },
          reason: `A rule asks for it: ${said.verdict.rules.join(', ')}`,
          risk: place?.operation === 'write' ? 'medium' : 'low',
          allowed: ['approve', 'edit', 'reject', 'respond'],
          digest: digestOf(call, '', undefined),
        },
      };
    },
  };

  async function strictest(call: GateCall, place: NonNullable<(typeof PLACES)[string]>) {
    // A search that names no place searches everything.
    const named = call.args[place.argument] ?? (place.argument === 'path' ? '/' : undefined);
    let strict = ALLOWED;
    for (const path of await placesOf(backend, named)) {
      const verdict = rules.beforehand(place.operation, path, place.below);
      if (verdict.mode === 'deny') return { verdict, path };
      if (verdict.mode === 'interrupt') strict = { verdict, path };
    }
    return strict;
  }
}

const ALLOWED: { verdict: Verdict; path: string } = { verdict: { mode: 'allow', rules: [] }, path: '' };
