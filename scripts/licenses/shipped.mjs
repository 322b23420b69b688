// The packages whose code ships with the app, with their licenses.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process.mjs';

/** @typedef {{ name: string, version: string, license?: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Manifest */

/**
 * @typedef {object} Shipped
 * @property {string} name
 * @property {string} version
 * @property {string} license its identifier, as the package names it
 * @property {string | undefined} text of the license; undefined if the package ships none
 */

/** @param {string} folder relative to node_modules @returns {Manifest | undefined} */
function manifest(folder) {
  const file = join(root, 'node_modules', folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The packages in the bundles. @param {string} out the folder of the build @returns {string[]} */
function bundled(out) {
  return ['main', 'preload', 'renderer'].flatMap((part) => {
    const file = join(out, part, 'third-party.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  });
}

/** The packages that ship beside the bundles: the native ones and all their dependencies, for every platform. */
function beside() {
  const found = new Set();
  /** @param {{ dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> } | undefined} from */
  const visit = (from) => {
    for (const name of Object.keys({ ...from?.dependencies, ...from?.optionalDependencies })) {
      const own = manifest(name);
      if (found.has(name) || !own) continue;
      found.add(name);
      visit(own);
    }
  };
  visit(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  return [...found];
}

/** @param {string} folder @returns {string | undefined} the package's license text */
function notice(folder) {
  const name = readdirSync(join(root, 'node_modules', folder)).find((file) =>
    /^(licen[cs]e|copying|notice)/i.test(file),
  );
  return name && readFileSync(join(root, 'node_modules', folder, name), 'utf8');
}

/** Some packages name their license only in its text. @param {string | undefined} text */
function licenseIn(text) {
  return text && /^\s*(The )?MIT License/i.test(text) ? 'MIT' : 'none named';
}

/** Sorted by name. @param {string} [out] the folder of a build @returns {Shipped[]} */
export function shippedPackages(out = join(root, 'out')) {
  const found = [...new Set([...bundled(out), ...beside()])].sort().flatMap((folder) => {
    const own = manifest(folder);
    if (!own) return [];
    const text = notice(folder);
    return [{ name: own.name, version: own.version, license: own.license ?? licenseIn(text), text }];
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
