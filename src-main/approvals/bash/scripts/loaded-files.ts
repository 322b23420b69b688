import { dirname, posix } from 'node:path';
import { isBelow } from '../../../base/is-below';
import { localModules } from './local-modules';
import { from, isFile, readText } from './script-file';

/** Package manager settings that name the shell for scripts, or programs or modules that load first. */
const SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnp.cjs', 'pnpm-workspace.yaml'];
/** The settings whose text names files, such as `yarnPath`. */
const NAMES_FILES = /^(\.npmrc|\.yarnrc(\.yml)?|pnpm-workspace\.yaml|bunfig\.toml)$/;
/** Maximum files named by one settings file. */
const MAX_NAMED = 50;

/**
 * Adds the files in the folder that these load before or while they run, and what those load in turn: settings beside a
 * package.json, files that a Makefile includes, modules, also in the absolute `folders`. Packages and names computed at run
 * time are not found.
 */
export async function addLoaded(
  paths: readonly string[],
  root: string,
  files: Set<string>,
  { max, folders = [] }: { max: number; folders?: readonly string[] },
): Promise<void> {
  const open = paths.map((path) => ({ path, start: dirname(path) }));
  const seen = new Set(paths);
  for (let one = open.shift(); one !== undefined && files.size < max; one = open.shift())
    for (const path of await loadedBy(one.path, { root, start: one.start, folders })) {
      if (seen.has(path) || files.size >= max) continue;
      seen.add(path);
      files.add(path);
      open.push({ path, start: one.start });
    }
}

/** The existing files that one file loads. `start`: the folder of the script that runs. */
async function loadedBy(
  path: string,
  places: { root: string; start: string; folders: readonly string[] },
): Promise<string[]> {
  const { root } = places;
  const folder = dirname(path);
  const name = posix.basename(path);
  if (/^package\.(json5?|yaml)$/.test(name))
    return existing(
      foldersUpTo(folder, root).flatMap((above) => SETTINGS.map((one) => posix.join(above, one))),
    );
  const text = await readText(path);
  if (text === null) return [];
  if (NAMES_FILES.test(name)) return existing(namedIn(text, folder).filter((one) => isBelow(one, root)));
  if (/^(gnu)?makefile$|\.(mk|make)$/i.test(name))
    return existing(
      [...text.matchAll(/^ *[-s]?include +([^#\n]+)/gm)].flatMap(([, list = '']) =>
        list
          .trim()
          .split(/\s+/)
          .map((file) => from(folder, file)),
      ),
    );
  if (/^\.?justfile$/i.test(name))
    return existing(
      [...text.matchAll(/^(?:import|mod)\?? +['"]?([^'"\n]+)/gm)].map(([, file = '']) =>
        from(folder, file.trim()),
      ),
    );
  return localModules(path, text, places);
}

/** Everything in a settings file that looks like the path of a script or a program. */
const namedIn = (text: string, folder: string): string[] =>
  [...new Set(text.match(/[\w@.+/-]{2,200}/g) ?? [])]
    .filter((word) => word.includes('/') || /\.[cm]?[jt]s$|\.sh$/.test(word))
    .slice(0, MAX_NAMED)
    .map((word) => from(folder, word));

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(async (path) => ((await isFile(path)) ? [path] : [])));
  return found.flat();
}

/** A folder and its parents within the project, since a workspace follows the root's settings. */
export function foldersUpTo(folder: string, root: string): string[] {
  const all = [folder];
  for (let at = folder; at !== root && isBelow(dirname(at), root); at = dirname(at)) all.push(dirname(at));
  return all;
}
