import { join } from 'node:path';
import { isBelow } from '../../../base/is-below';
import { listRegular } from '../../../base/open-regular';
import { isRefused } from '../../../base/regular-file';
import type { PlaceRule } from '../../../contract/places';
import type { DeniedPaths } from '../../../harness/sandbox';
import { type HiddenPlace, placeAt } from '../../../harness/sandbox/hidden';
import type { PathRules } from './path-rules';

/** Maximum number of entries that are compared with the rules before a command. */
const MAX_ENTRIES = 200_000;

type Effects = readonly PlaceRule['effect'][];

/**
 * The existing paths that rules with these effects keep from commands. Rejects if the folder is too large to find them all:
 * a command must not run then.
 */
export async function findDenied(
  rules: PathRules,
  folder: string,
  effects: Effects,
  limit = MAX_ENTRIES,
): Promise<DeniedPaths> {
  const others = (['allow', 'ask', 'deny'] as const).filter((one) => !effects.includes(one));
  const hidden: string[] = [];
  const readOnly: string[] = [];
  const keeps = (operation: 'read' | 'write', path: string) =>
    effects.includes(rules.judge(operation, path).mode);
  const look = (path: string, isFolder: boolean): boolean => {
    // Exceptions inside are compared one by one.
    const isWhole = (operation: 'read' | 'write') =>
      !isFolder || !rules.mayApplyBelow(operation, path, others);
    if (keeps('read', path) && isWhole('read')) {
      hidden.push(path);
      return false;
    }
    if (keeps('write', path) && isWhole('write')) readOnly.push(path);
    return (
      isFolder && (rules.mayApplyBelow('read', path, effects) || rules.mayApplyBelow('write', path, effects))
    );
  };
  let looked = 0;
  const open = look(folder, true) ? [folder] : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const listed = await listRegular(next, { root: next, maxEntries: limit });
    // If we cannot list a folder, a command cannot either.
    const entries = isRefused(listed) ? [] : listed.entries;
    looked += entries.length;
    if (looked > limit || (!isRefused(listed) && listed.more))
      throw new Error(
        `the folder has more than ${limit} entries, so your rules about paths cannot be applied.`,
      );
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (look(path, entry.isDirectory())) open.push(path);
    }
  }
  for (const path of rules.outside())
    if (keeps('read', path)) hidden.push(path);
    else if (keeps('write', path)) readOnly.push(path);
  return real({ hidden, readOnly });
}

async function real(found: { hidden: string[]; readOnly: string[] }): Promise<DeniedPaths> {
  const [hidden, readOnly] = await Promise.all(
    [found.hidden, found.readOnly].map(async (paths) => {
      const places = new Map<string, HiddenPlace>();
      for (const place of await Promise.all(paths.map(placeAt)))
        if (place !== null) places.set(place.path, place);
      return [...places.values()];
    }),
  );
  const kept = (hidden ?? []).filter(
    ({ path }) => !(hidden ?? []).some((above) => above.path !== path && isBelow(path, above.path)),
  );
  return {
    hidden: kept,
    readOnly: (readOnly ?? [])
      .map(({ path }) => path)
      .filter((path) => !kept.some((above) => isBelow(path, above.path))),
  };
}
