import { existsSync } from 'node:fs';

/**
 * How Rolldown splits a program of which large parts are imported at one time. Its own way makes a file for each set of entries
 * that share a module, and every dynamic import is an entry: the app read 150 small files at a start, and reading and linking them
 * took longer than what is in them.
 *
 * A group reaches what its first modules import statically. All modules that the same groups reach become one file, so nothing
 * is loaded that a group does not need. An entry keeps its own file, and what no group reaches is split as usual.
 * @param {Readonly<Record<string, readonly string[]>>} groups by name, the absolute paths of their first modules
 * @returns {import('vite').Rolldown.CodeSplittingOptions} for one build
 */
export function chunkGroups(groups) {
  // A group of nothing would only make the start slower.
  for (const path of Object.values(groups).flat())
    if (!existsSync(path)) throw new Error(`a group of chunks begins with ${path}, which does not exist`);
  /** @type {Map<string, string> | undefined} */
  let files;
  return {
    // An import is in the file of its own groups, which are at least those of its importer: no file is part of a cycle.
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: 'groups',
        name: (moduleId, context) => {
          files ??= fileNames(groups, context);
          return files.get(moduleId) ?? null;
        },
      },
    ],
  };
}

/**
 * The names of the groups that reach a module, by its id.
 * @param {Readonly<Record<string, readonly string[]>>} groups
 * @param {import('vite').Rolldown.ChunkingContext} context
 */
function fileNames(groups, context) {
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const [group, first] of Object.entries(groups)) {
    const reached = new Set(first);
    for (const id of reached) {
      const found = context.getModuleInfo(id);
      if (found === null) continue;
      const before = names.get(id);
      if (!found.isEntry) names.set(id, before === undefined ? group : `${before}-${group}`);
      for (const imported of found.importedIds) reached.add(imported);
    }
  }
  return names;
}
