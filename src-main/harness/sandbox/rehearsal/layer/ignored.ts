import { join } from 'node:path';
import {
  asBytes,
  EXCLUDE_FILE,
  type IgnoreRules,
  parseIgnoreFile,
} from '../../../../base/globs/ignore-rules';
import { readRegularText } from '../../../../base/open-regular';
import { isRefused } from '../../../../base/regular-file';

/** Maximum bytes read of an ignore file. */
const MAX_BYTES = 1024 * 1024;
/** Folders with caches of tools. */
const CACHES =
  /^(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|\.cache|\.next|\.nuxt|\.svelte-kit|\.turbo|\.parcel-cache|\.vite|\.nyc_output|\.gradle|\.eslintcache|.*\.tsbuildinfo)$/;

/** Whether git ignores a path or it is a tool's cache. */
export type IsIgnored = (path: string, isFolder: boolean) => Promise<boolean>;

/**
 * Uses the folder's ignore files from before the command, so that it cannot ignore anything by writing to one. A path below
 * an ignored folder is ignored, whatever rules below it say.
 */
export function ignoredIn(folder: string): IsIgnored {
  const rules = new Map<string, Promise<IgnoreRules | null>>();
  const known = new Map<string, Promise<boolean>>();
  const rulesOf = (file: string) => {
    const before = rules.get(file) ?? readRules(folder, file);
    rules.set(file, before);
    return before;
  };
  const byRules = async (path: string, isFolder: boolean): Promise<boolean> => {
    const names = path.split('/');
    for (let depth = names.length - 1; depth >= 0; depth -= 1) {
      const own = await rulesOf(join(...names.slice(0, depth), '.gitignore'));
      const verdict = own?.(asBytes(names.slice(depth).join('/')), isFolder) ?? null;
      if (verdict !== null) return verdict === 'ignored';
    }
    return (await rulesOf(EXCLUDE_FILE))?.(asBytes(path), isFolder) === 'ignored';
  };
  const isIgnored: IsIgnored = async (path, isFolder) => {
    const at = path.lastIndexOf('/');
    if (at > 0 && (await ofFolder(path.slice(0, at)))) return true;
    return CACHES.test(path.slice(at + 1)) || byRules(path, isFolder);
  };
  const ofFolder = (path: string) => {
    const before = known.get(path) ?? isIgnored(path, true);
    known.set(path, before);
    return before;
  };
  return (path, isFolder) => (isFolder ? ofFolder(path) : isIgnored(path, false));
}

async function readRules(folder: string, file: string): Promise<IgnoreRules | null> {
  const read = await readRegularText(join(folder, file), { root: folder, maxBytes: MAX_BYTES });
  return isRefused(read) ? null : parseIgnoreFile(read.text);
}
