// Which packages a bundle really holds, for the list of third-party licences.

/**
 * A Vite plugin that writes third-party.json beside the bundle: the package folders it holds code of, relative to
 * node_modules, sorted.
 * @returns {import('vite').Plugin}
 */
export function bundledPackages() {
  return {
    name: 'bundled-packages',
    generateBundle(_, bundle) {
      const folders = new Set();
      for (const part of Object.values(bundle)) {
        const modules = part.type === 'chunk' ? part.moduleIds : part.originalFileNames;
        for (const id of modules) {
          // The last node_modules of the path is the package's own place, nested ones included.
          const found = /^.*?node_modules\/(.*node_modules\/)?((?:@[^/]+\/)?[^/]+)/.exec(
            id.replaceAll('\\', '/'),
          );
          if (found) folders.add(`${found[1] ?? ''}${found[2]}`);
        }
      }
      this.emitFile({
        type: 'asset',
        fileName: 'third-party.json',
        source: JSON.stringify([...folders].sort()),
      });
    },
  };
}
