// Lists the packages in a bundle, for the third-party licenses.

/**
 * The package folders whose code a bundle contains, relative to node_modules.
 * @param {import('vite').Rolldown.OutputBundle} bundle
 */
function foldersIn(bundle) {
  const folders = [];
  for (const part of Object.values(bundle)) {
    const modules = part.type === 'chunk' ? part.moduleIds : part.originalFileNames;
    for (const id of modules) {
      // The last node_modules in the path belongs to the package itself, even if it is nested.
      const found = /^.*?node_modules\/(.*node_modules\/)?((?:@[^/]+\/)?[^/]+)/.exec(
        id.replaceAll('\\', '/'),
      );
      if (found) folders.push(`${found[1] ?? ''}${found[2]}`);
    }
  }
  return folders;
}

/**
 * A Vite plugin that writes third-party.json beside the bundle: the folders of the bundled packages, relative to node_modules, sorted.
 * @param {ReadonlySet<string>} [inWorkers] the result of `packagesOfWorkers`: workers are bundled before their page
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
 * A Vite plugin for workers, which are separate bundles.
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
