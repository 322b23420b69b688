import type { Gate } from '../../approvals/gate';
import { isObeyed } from '../../base/protected-paths';
import { isSecretPath } from '../../base/secret-paths';
import { type PathVerdicts, placesOfCall } from '../../harness/agent/path-rules';
import type { BackendProtocol } from '../../harness/backends/protocol';
import { deletesFile } from '../../harness/tools/catalogue';
import { type Folder, fromMount } from '../project/mount-paths';
import { gateByPaths } from './permission-gate';

const RUN_BY_OTHERS = 'Other programs run what is in this file, or do what it says, without asking you.';
const HOLDS_SECRETS =
  'This file may hold passwords or keys. What is read is sent to the model, but for what looks like one.';

/** Entries looked at below a folder that is to be deleted; in a larger one there may be anything. */
const MOST_ENTRIES = 2_000;

/** What is protected about a path of the tools, itself alone; null where nothing is. */
export function protectionOf(
  project: Folder,
  home: string,
): (operation: 'read' | 'write', path: string) => string | null {
  return (operation, path) => {
    const real = fromMount(project, path);
    if (real === null) return null;
    if (operation === 'write' && isObeyed(path.slice(project.mount.length))) return RUN_BY_OTHERS;
    return isSecretPath(process.platform === 'win32' ? real.replaceAll('\\', '/') : real, home)
      ? HOLDS_SECRETS
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
      const reason = protects(operation, path) ?? (deletesFile(tool) ? await below(path) : null);
      if (reason !== null) return { verdict: { mode: 'interrupt', rules: [], reason, risk: 'high' }, path };
    }
    return { verdict: { mode: 'allow', rules: [] }, path: '' };
  };

  /** What is protected of all that would go with a folder. */
  async function below(folder: string): Promise<string | null> {
    const open = [folder];
    let looked = 0;
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const listed = await backend.ls(next, { limit: MOST_ENTRIES });
      // A file, or what is not there: deleting tells.
      if (listed.error !== undefined) continue;
      looked += listed.files?.length ?? 0;
      if (looked > MOST_ENTRIES || listed.nextOffset !== undefined)
        return 'The folder holds too much to tell whether there are keys in it, or files that other programs run.';
      for (const { path, is_dir } of listed.files ?? []) {
        const plain = path.replace(/\/+$/, '');
        if (plain === next) continue;
        const why = protects('write', plain);
        if (why !== null) return `${plain} would be deleted with it. ${why}`;
        if (is_dir === true) open.push(plain);
      }
    }
    return null;
  }
}

/** A path as a glob that only it meets. */
export const literally = (path: string) => path.replace(/[\\*?[\]{}!]/g, (char) => `\\${char}`);
