import {
  type FilesystemOperation,
  type FilesystemPermission,
  PermissionRules,
  placesOf,
  type Verdict,
} from '../backends/permissions';
import type { BackendProtocol } from '../backends/protocol';
import { canonicalArguments } from '../tools/arguments';
import { deletesFile, descriptorOf } from '../tools/catalogue';

/** What a file tool does at the place that it names; undefined for other tools. */
export const operationOf = (tool: string): FilesystemOperation | undefined =>
  descriptorOf(tool)?.path?.operation;

/** The places that a call of a file tool names: as it says them, and where links lead. Null for other tools. */
export async function placesOfCall(
  tool: string,
  args: Record<string, unknown>,
  backend: BackendProtocol,
): Promise<{ operation: FilesystemOperation; below: boolean; paths: readonly string[] } | null> {
  const place = descriptorOf(tool)?.path;
  if (place === undefined) return null;
  // A search that names no place searches everything.
  const named = args[place.argument] ?? place.byDefault;
  const { operation, below } = place;
  return { operation, below, paths: await placesOf(backend, named) };
}

/** What is to be done about a call by the paths that it names, with the path that it is about. */
export type PathVerdicts = (
  tool: string,
  args: Record<string, unknown>,
) => Promise<{ verdict: Verdict & { risk?: 'medium' | 'high' }; path: string }>;

/** The strictest verdict of rules about paths on a call of a file tool, with the place it is about. */
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

/** Nothing lies below a file. What cannot be read may be a folder. */
const isFile = async (backend: BackendProtocol, path: string): Promise<boolean> =>
  (await backend.read(path, 0, 1)).error === undefined;

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
