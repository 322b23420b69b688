import { NODE_LOADS } from '../parsing/interpreters';
import { foldersUpTo } from './loaded-files';
import { from, isFile, readText } from './script-file';

export const RUNS_NODE = /^(node|nodejs|bun|tsx|ts-node(-esm)?)$/;
/** What Node.js appends to the name of a file. */
export const NODE_FILES = ['', '.js', '.mjs', '.cjs', '.ts', '/index.js'];

/** Files that load before a script: `node -r ./x run.js`, `preload` in bunfig.toml. */
export async function loadedFirst(
  [name = '', ...words]: readonly string[],
  directory: string,
  root: string,
): Promise<string[]> {
  if (!RUNS_NODE.test(name)) return loadedByOptions([name, ...words], directory);
  const found: string[] = [];
  if (name === 'bun')
    for (const path of foldersUpTo(directory, root).map((folder) => from(folder, 'bunfig.toml')))
      if (await isFile(path)) found.push(path);
  for (const [at, word] of words.entries()) {
    const [option = '', joined] = word.split(/=(.*)/s);
    if (!NODE_LOADS.test(option)) continue;
    const value = joined ?? words[at + 1] ?? '';
    for (const file of NODE_FILES.map((ending) => from(directory, `${value}${ending}`)))
      if ((await readText(file)) !== null && !found.includes(file)) found.push(file);
  }
  return found;
}

/** `perl -Ilib`, `ruby -I lib`. */
export const moduleFolders = (words: readonly string[], directory: string): string[] =>
  /^(perl|ruby)/.test(words[0] ?? '')
    ? words.flatMap((word, at) =>
        word.startsWith('-I') ? [from(directory, word.slice(2) || (words[at + 1] ?? '.'))] : [],
      )
    : [];

/** Files that other interpreters load before a script: `perl -MA::B`, `ruby -r ./x`, `php -d auto_prepend_file=x`. */
async function loadedByOptions(
  [name = '', ...words]: readonly string[],
  directory: string,
): Promise<string[]> {
  const folders = [directory, ...moduleFolders([name, ...words], directory)];
  const named = words.flatMap((word, at): string[] => {
    const value = word.length > 2 ? word.slice(2) : (words[at + 1] ?? '');
    if (name.startsWith('perl') && /^-[mM]/.test(word))
      return [`${value.replace(/^-|[= ].*$/gs, '').replaceAll('::', '/')}.pm`];
    if (name.startsWith('ruby') && word.startsWith('-r')) return [value, `${value}.rb`];
    const [, file] = /^(?:-d)?auto_(?:prep|app)end_file=(.+)$/s.exec(word) ?? [];
    return name.startsWith('php') && file !== undefined ? [file] : [];
  });
  const paths = named.flatMap((file) => folders.map((folder) => from(folder, file)));
  const found = await Promise.all(paths.map(async (path) => ((await isFile(path)) ? [path] : [])));
  return found.flat();
}
