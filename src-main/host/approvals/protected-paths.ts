import type { Gate } from '../../approvals/gate';
import { isObeyed } from '../../base/protected-paths';
import { isSecretPath } from '../../base/secret-paths';
import { because, type Reason, type Reasons } from '../../contract/shared/reasons';
import { placesOfCall } from '../../harness/agent/path-rules';
import type { BackendProtocol } from '../../harness/backends/protocol';
import { deletesFile } from '../../harness/tools/catalogue';
import { type Folder, fromMount } from '../project/mount-paths';
import { gateByPaths, type PathVerdicts } from './permission-gate';

/** Entries looked at below a folder that is to be deleted; in a larger one there may be anything. */
const MOST_ENTRIES = 2_000;

/** What is protected about a path of the tools, itself alone; null where nothing is. */
export function protectionOf(
  project: Folder,
  home: string,
): (operation: 'read' | 'write', path: string) => Reason | null {
  return (operation, path) => {
    const real = fromMount(project, path);
    if (real === null) return null;
    if (operation === 'write' && isObeyed(path.slice(project.mount.length))) return because('run_by_others');
    return isSecretPath(process.platform === 'win32' ? real.replaceAll('\\', '/') : real, home)
      ? because('holds_secrets')
      : null;
  };
}

/**
 * A gate in front of the folder: reading what holds secrets and writing what other programs run is asked for each time,
 * whoever asks, under the name that is said and under the one that links lead to. Listings and searches are asked for
 * where they name such a place themselves; searches leave out what they find in others.
 */
export const protectedGate = (gate: Gate, project: Folder, backend: BackendProtocol, home: string): Gate =>
  gateByPaths(gate, verdictsOf(project, backend, home));

function verdictsOf(project: Folder, backend: BackendProtocol, home: string): PathVerdicts {
  const protects = protectionOf(project, home);
  return async (tool, args) => {
    const places = await placesOfCall(tool, args, backend);
    for (const path of places?.paths ?? []) {
      const operation = places?.operation ?? 'read';
      const own = protects(operation, path);
      const reason = own !== null ? [own] : deletesFile(tool) ? await below(path) : null;
      if (reason !== null) return { mode: 'ask', reason, risk: 'high' };
    }
    return { mode: 'allow' };
  };

  /** What is protected of all that would go with a folder. */
  async function below(folder: string): Promise<Reasons | null> {
    const open = [folder];
    let looked = 0;
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const listed = await backend.ls(next, { limit: MOST_ENTRIES });
      // A file, or what is not there: deleting tells.
      if (listed.error !== undefined) continue;
      looked += listed.files?.length ?? 0;
      if (looked > MOST_ENTRIES || listed.nextOffset !== undefined) return [because('too_much_below')];
      for (const { path, is_dir } of listed.files ?? []) {
        const plain = path.replace(/\/+$/, '');
        if (plain === next) continue;
        const why = protects('write', plain);
        if (why !== null) return [because('deleted_with', { path: plain }), why];
        if (is_dir === true) open.push(plain);
      }
    }
    return null;
  }
}

/** A path as a glob that only it meets. */
export const literally = (path: string) => path.replace(/[\\*?[\]{}!]/g, (char) => `\\${char}`);
