import {
  type FilesystemOperation,
  type FilesystemPermission,
  PermissionRules,
  placesOf,
  type Verdict,
} from '../backends/policy/permissions';
import type { BackendProtocol } from '../backends/protocol';
import { canonicalArguments } from '../tools/arguments';
import { deletesFile, descriptorOf } from '../tools/catalogue';

/** What a file tool does at its path; undefined for other tools. */
export const operationOf = (tool: string): FilesystemOperation | undefined =>
  descriptorOf(tool)?.path?.operation;

/** The paths that a file tool's call names, as written and with links resolved. Null for other tools. */
export async function placesOfCall(
  tool: string,
  args: Record<string, unknown>,
  backend: BackendProtocol,
): Promise<{ operation: FilesystemOperation; below: boolean; paths: readonly string[] } | null> {
  const place = descriptorOf(tool)?.path;
  if (place === undefined) return null;
  // A search without a path searches everything.
  const named = args[place.argument] ?? place.byDefault;
  const { operation, below } = place;
  return { operation, below, paths: await placesOf(backend, named) };
}

/** The verdict on a call based on its paths, and the path that decided it. */
export type PathVerdicts = (
  tool: string,
  args: Record<string, unknown>,
) => Promise<{ verdict: Verdict & { risk?: 'medium' | 'high' }; path: string }>;

/** The strictest verdict of the path rules on a file tool's call, with the path that decided it. */
export function pathVerdicts(
  permissions: readonly FilesystemPermission[],
  backend: BackendProtocol,
): PathVerdicts {
  const rules = new PermissionRules(permissions);
  return async (tool, args) => {
    const places = rules.isEmpty ? null : await placesOfCall(tool, args, backend);
    if (places === null) return ALLOWED;
    let strict = ALLOWED;
    for (const path of places.paths) {
      const below = places.below && !(deletesFile(tool) && (await isFile(backend, path)));
      const verdict = rules.beforehand(places.operation, path, below);
      if (verdict.mode === 'deny') return { verdict, path };
      if (verdict.mode === 'interrupt') strict = { verdict, path };
    }
    return strict;
  };
}

/** A file has nothing below it. An unreadable path may be a folder. */
const isFile = async (backend: BackendProtocol, path: string): Promise<boolean> =>
  (await backend.read(path, 0, 1)).error === undefined;

/** Why a path rule wants to ask about a call; null if none does. Denied calls are not asked about. */
export function askedByRules(
  permissions: readonly FilesystemPermission[],
  backend: BackendProtocol,
): (tool: string, args: Record<string, unknown>) => Promise<string | null> {
  const verdictOf = pathVerdicts(permissions, backend);
  return async (tool, args) => {
    const { verdict } = await verdictOf(tool, canonicalArguments(tool, args));
    if (verdict.mode !== 'interrupt') return null;
    return verdict.reason ?? `A rule requires your approval: ${verdict.rules.join(', ')}`;
  };
}

const ALLOWED: { verdict: Verdict; path: string } = { verdict: { mode: 'allow', rules: [] }, path: '' };
