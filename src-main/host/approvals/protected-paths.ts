import { lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Gate } from '../../approvals/gate';
import { OF_BARE } from '../../base/git-folder';
import { isBelow } from '../../base/is-below';
import { systemPath } from '../../base/path-names';
import { isObeyed } from '../../base/protected-paths';
import { isSecretPath } from '../../base/secret-paths';
import { because, type Reason, type Reasons } from '../../contract/shared/reasons';
import type { BackendProtocol } from '../../harness';
import { placesOfCall } from '../../harness/agent/path-rules';
import { deletesFile } from '../../harness/tools/catalogue';
import { type Folder, fromMount } from '../project/mount-paths';
import { gateByPaths, type PathVerdicts } from './permission-gate';

/** Maximum number of entries checked below a folder to be deleted; a larger one may contain anything. */
const MAX_ENTRIES = 2_000;

export interface Protection {
  /** The person's home folder. */
  home: string;
  /** Mounts of the project's places, without a trailing slash. */
  mounts: () => readonly string[];
}

/** The protection of a tool path itself; null if there is none. */
export function protectionOf(
  project: Folder,
  { home, mounts }: Protection,
): (operation: 'read' | 'write', path: string) => Reason | null {
  return (operation, path) => {
    const real = fromMount(project, path);
    if (real === null) {
      const mount = mounts().find((one) => path.startsWith(`${one}/`));
      if (mount === undefined) return null;
      if (operation === 'write' && isObeyed(path.slice(mount.length))) return because('run_by_others');
      // Wherever it is, the names of files with secrets are the same as in a home folder.
      return isSecretPath(`${home}${path.slice(mount.length)}`, home) ? because('holds_secrets') : null;
    }
    if (operation === 'write' && isObeyed(path.slice(project.mount.length))) return because('run_by_others');
    return isSecretPath(process.platform === 'win32' ? real.replaceAll('\\', '/') : real, home)
      ? because('holds_secrets')
      : null;
  };
}

/** Whether git takes a folder above a path of the project for a repository without `.git`, at least once the path is there. */
async function isInBare(project: Folder, path: string): Promise<boolean> {
  const real = fromMount(project, path);
  if (real === null) return false;
  for (let below = real, at = dirname(real); isBelow(at, project.folder); below = at, at = dirname(at)) {
    const isThere = (name: string) =>
      basename(below) === name ||
      lstat(systemPath(`${at}/${name}`)).then(
        () => true,
        () => false,
      );
    if ((await Promise.all(OF_BARE.map(isThere))).every(Boolean)) return true;
    if (at === dirname(at)) return false;
  }
  return false;
}

/**
 * A gate in front of the folder and the places. Reading files with secrets and writing files that other programs run always require
 * approval, under both the given name and the link's target. Listings and searches require it if they name such a place;
 * searches skip matches in others.
 */
export const protectedGate = (
  gate: Gate,
  project: Folder,
  backend: BackendProtocol,
  protection: Protection,
): Gate => gateByPaths(gate, verdictsOf(project, backend, protection));

function verdictsOf(project: Folder, backend: BackendProtocol, protection: Protection): PathVerdicts {
  const protects = protectionOf(project, protection);
  return async (tool, args) => {
    const places = await placesOfCall(tool, args, backend);
    for (const path of places?.paths ?? []) {
      const operation = places?.operation ?? 'read';
      const own = protects(operation, path);
      const isOfBare = own === null && operation === 'write' && (await isInBare(project, path));
      const why = isOfBare ? because('run_by_others') : own;
      const reason = why !== null ? [why] : deletesFile(tool) ? await below(path) : null;
      if (reason !== null) return { mode: 'ask', reason, risk: 'high' };
    }
    return { mode: 'allow' };
  };

  /** The protections of everything that would be deleted with a folder. */
  async function below(folder: string): Promise<Reasons | null> {
    const open = [folder];
    let looked = 0;
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const listed = await backend.ls(next, { limit: MAX_ENTRIES });
      // A file, or missing: the deletion reports it.
      if (listed.error !== undefined) continue;
      looked += listed.files?.length ?? 0;
      if (looked > MAX_ENTRIES || listed.nextOffset !== undefined) return [because('too_much_below')];
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
