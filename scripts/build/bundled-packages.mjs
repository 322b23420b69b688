// Which packages a bundle really holds, for the list of third-party licences.

/**
 * The package folders that a bundle holds code of, relative to node_modules.
 * @param {import('vite').Rolldown.OutputBundle} bundle
 */
function foldersIn(bundle) {
  const folders = [];
  for (const part of Object.values(bundle)) {
    const modules = part.type === 'chunk' ? part.moduleIds : part.originalFileNames;
    for (const id of modules) {
      // The last node_modules of the path is the package's own place, nested ones included.
      const found = /^.*?node_modules\/(.*node_modules\/)?((?:@[^/]+\/)?[^/]+)/.exec(
        id.replaceAll('\\', '/'),
      );
      if (found) folders.push(`${found[1] ?? ''}${found[2]}`);
    }
  }
  return folders;
}

/**
 * A Vite plugin that writes third-party.json beside the bundle: the package folders it holds code of, relative to
 * node_modules, sorted.
 * @param {ReadonlySet<string>} [inWorkers] those that `packagesOfWorkers` found: workers are bundled before their page
 * @returns {import('vite').Plugin}
 */
export function bundledPackages(inWorkers = new Set()) {
  return {
    name: 'bundled-packages',
    generateBundle(_, bundle) {
      this.emitFile({
        type: 'asset',
        fileName: 'third-party.json',
        source: JSON.stringify([...new Set([...foldersIn(bundle), ...inWorkers])].sort()),
      });
    },
  };
}

/**
 * A Vite plugin for workers, which are bundles of their own.
 * @param {Set<string>} found
 * @returns {import('vite').Plugin}
 */
export function packagesOfWorkers(found) {
  return {
    name: 'packages-of-workers',
    generateBundle(_, bundle) {
      for (const folder of foldersIn(bundle)) found.add(folder);
    },
  };
}
