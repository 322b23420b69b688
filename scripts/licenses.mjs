// npm run licenses: writes THIRD_PARTY.md, the licenses of everything that ships with the app. Fails on an unreviewed
// license.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { ensureBuilt } from './build/app.mjs';
import { shippedPackages } from './licenses/shipped.mjs';
import { root } from './process.mjs';
import { endOnSignals } from './runtime/at-exit.mjs';

endOnSignals();
readArguments({ options: {} }, 'npm run licenses');

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

/** An SPDX expression is fine when one of its OR parts is, and of that every AND part. @param {string} license */
function isFine(license) {
  return license
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((one) => FINE.has(one.trim())));
}

if (!(await ensureBuilt())) process.exit(1);
const rows = shippedPackages();
const doubtful = rows.filter((row) => !isFine(row.license));
writeFileSync(
  join(root, 'THIRD_PARTY.md'),
  `# Third-party software

Written by \`npm run licenses\`: the packages whose code is in the bundles of Deepdesk, and the native ones that ship with them.
Electron (MIT) and Chromium bring their own notices, \`LICENSE\` and \`LICENSES.chromium.html\`, in the runtime's folder.
The license texts are in the app: Settings, About, Licenses.

| package | version | license |
| --- | --- | --- |
${rows.map((row) => `| ${row.name} | ${row.version} | ${row.license} |`).join('\n')}
`,
);
console.log(`THIRD_PARTY.md: ${rows.length} packages`);
for (const row of rows.filter(({ text }) => text === undefined))
  console.log(`note: ${row.name}@${row.version} ships no license text of its own`);
for (const row of doubtful) console.error(`check the license of ${row.name}@${row.version}: ${row.license}`);
process.exitCode = doubtful.length > 0 ? 1 : 0;
