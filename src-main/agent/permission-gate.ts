import { digestOf, type Gate } from '../approvals/gate';
import {
  type FilesystemOperation,
  type FilesystemPermission,
  PermissionRules,
  placesOf,
  type Verdict,
} from '../backends/permissions';
import type { BackendProtocol } from '../backends/protocol';
import { canonicalArguments } from './tools/arguments';

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
  options: {
    /**
     * Listings and searches are asked for only where they name such a place itself; the backend withholds what it finds
     * in others. Default false: whatever may look into such a place is asked for.
     */
    withheld?: boolean;
  } = {},
): Gate {
  if (permissions.length === 0) return gate;
  const verdictOf = pathVerdicts(permissions, backend, options);
  return {
    judge: async (call, signal, begunBefore) => {
      const place = PLACES[call.tool];
      const said = await verdictOf(call.tool, call.args);
      if (said.verdict.mode === 'deny')
        return { verdict: 'deny', reason: `permission denied for ${place?.operation} on ${said.path}` };
      const behind = await gate.judge(call, signal, begunBefore);
      if (said.verdict.mode === 'allow' || behind.verdict === 'deny') return behind;
      const reason = said.verdict.reason ?? `A rule asks for it: ${said.verdict.rules.join(', ')}`;
      if (behind.verdict === 'ask')
        return { verdict: 'ask', question: { ...behind.question, reason, risk: 'high' } };
      return {
        verdict: 'ask',
        question: {
          preview: { kind: 'arguments', json: JSON.stringify(call.args, null, 2) },
          reason,
          risk: place?.operation === 'write' ? 'medium' : 'low',
          allowed: ['approve', 'edit', 'reject', 'respond'],
          digest: digestOf(call, '', undefined),
        },
      };
    },
  };
}

/** The strictest verdict of rules about paths on a call of a file tool, with the place it is about. */
function pathVerdicts(
  permissions: readonly FilesystemPermission[],
  backend: BackendProtocol,
  options: { withheld?: boolean } = {},
): (tool: string, args: Record<string, unknown>) => Promise<{ verdict: Verdict; path: string }> {
  const rules = new PermissionRules(permissions);
  return async (tool, args) => {
    const place = PLACES[tool];
    if (place === undefined || rules.isEmpty) return ALLOWED;
    // A search that names no place searches everything.
    const named = args[place.argument] ?? (place.argument === 'path' ? '/' : undefined);
    let strict = ALLOWED;
    for (const path of await placesOf(backend, named)) {
      const below = place.below && (place.operation === 'write' || options.withheld !== true);
      const verdict = rules.beforehand(place.operation, path, below);
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
