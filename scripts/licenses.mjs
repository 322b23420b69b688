// npm run licenses: writes THIRD_PARTY.md, the licenses of everything that ships with the app. Fails on an unreviewed
// license.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build/app.mjs';
import { root } from './process.mjs';

/** Licenses that allow shipping the code under MIT with a notice. */
const FINE = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'OFL-1.1',
  'Python-2.0',
  'Zlib',
]);

/** @typedef {{ name: string, version: string, license: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Manifest */

/** @param {string} folder relative to node_modules @returns {Manifest | undefined} */
function manifest(folder) {
  const file = join(root, 'node_modules', folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The packages in the bundles. */
function bundled() {
  return ['main', 'preload', 'renderer'].flatMap((part) => {
    const file = join(root, 'out', part, 'third-party.json');
    return existsSync(file) ? /** @type {string[]} */ (JSON.parse(readFileSync(file, 'utf8'))) : [];
  });
}

/** The packages that ship beside the bundles: the native ones and all their dependencies, for every platform. */
function beside() {
  const found = new Set();
  /** @param {Manifest | undefined} from */
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

/** An SPDX expression is fine when one of its OR parts is, and of that every AND part. @param {string} license */
function isFine(license) {
  return license
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((one) => FINE.has(one.trim())));
}

/** @param {string} folder @returns {string | undefined} path of the package's license text */
function notice(folder) {
  const name = readdirSync(join(root, 'node_modules', folder)).find((file) =>
    /^(licen[cs]e|copying|notice)/i.test(file),
  );
  return name && join(root, 'node_modules', folder, name);
}

/** @param {string} folder @param {{ license?: string }} own its manifest */
function licenseOf(folder, own) {
  if (own.license !== undefined) return own.license;
  const text = notice(folder);
  // Some packages name their license only in its text.
  return text && /^\s*(The )?MIT License/i.test(readFileSync(text, 'utf8')) ? 'MIT' : 'none named';
}

if (!(await ensureBuilt())) process.exit(1);
const rows = [...new Set([...bundled(), ...beside()])].sort().flatMap((folder) => {
  const own = manifest(folder);
  return own ? [{ folder, name: own.name, version: own.version, license: licenseOf(folder, own) }] : [];
});
rows.sort((a, b) => (a.name < b.name ? -1 : 1));
const doubtful = rows.filter((row) => !isFine(row.license));
writeFileSync(
  join(root, 'THIRD_PARTY.md'),
  `# Third-party software

Written by \`npm run licenses\`: the packages whose code is in the bundles of Deepdesk, and the native ones beside them.
Electron (MIT) and Chromium bring their own notices, \`LICENSE\` and \`LICENSES.chromium.html\`, in the runtime's folder.
The packages' licence texts are in their folders on npm.

| package | version | licence |
| --- | --- | --- |
${rows.map((row) => `| ${row.name} | ${row.version} | ${row.license} |`).join('\n')}
`,
);
console.log(`THIRD_PARTY.md: ${rows.length} packages`);
for (const row of rows.filter((each) => notice(each.folder) === undefined)) {
  console.log(`note: ${row.name}@${row.version} ships no licence text of its own`);
}
for (const row of doubtful)
  console.error(`look at the licence of ${row.name}@${row.version}: ${row.license}`);
process.exitCode = doubtful.length > 0 ? 1 : 0;
