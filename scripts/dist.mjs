// npm run dist [-- FORMAT ...] [--release]: installable packages with their checksums, in dist/packages. With --release it
// refuses to package anything that must not be published.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import { readArguments, refuse } from './arguments.mjs';
import { ensureBuilt } from './build/app.mjs';
import { BUILDER_FORMATS, buildWithBuilder, wingetManifests } from './installers/builder.mjs';
import { sha256Of, writeChecksums } from './installers/checksums.mjs';
import { LINUX_FORMATS, makePackage, needsFor } from './installers/linux.mjs';
import { manifest, project } from './installers/project.mjs';
import { whyNoRelease } from './installers/release.mjs';
import { log } from './log.mjs';
import { packageApp } from './package/app.mjs';
import { root } from './process.mjs';
import { exitWith } from './runtime/foreground.mjs';
import { prepareMachine } from './runtime/prepare.mjs';
import { meetIfPossible } from './runtime/system-packages.mjs';

const ofBuilder = BUILDER_FORMATS[process.platform] ?? [];
const known = [...(process.platform === 'linux' ? LINUX_FORMATS : []), ...ofBuilder];
const USAGE = `npm run dist [-- ${known.join(' | ')} ...] [--release]`;
const {
  values: { release: isRelease },
  positionals: named,
} = readArguments(
  { allowPositionals: true, options: { release: { type: 'boolean', default: false } } },
  USAGE,
);
const unknown = named.filter((format) => !known.includes(format));
if (unknown.length > 0) refuse(`there is no format ${unknown.join(', ')}`, USAGE);
// electron-builder downloads what it makes an AppImage with, so only a release makes one without being asked.
const usual = process.platform === 'linux' && !isRelease ? LINUX_FORMATS : known;
const formats = named.length > 0 ? named : usual;
const into = join(root, 'dist', 'packages');

/** @typedef {{ electron: import('./runtime/electron.mjs').Electron, binding: string | undefined }} Runtime */

/** tar.gz, deb and rpm. @param {Runtime} runtime @param {string[]} formats @returns {Promise<string[]>} what was skipped */
async function linuxPackages({ electron, binding }, formats) {
  const skipped = [];
  const app = await packageApp({ dist: electron.dist, binding, into: join(root, 'release') });
  for (const format of formats) {
    await meetIfPossible(needsFor(format));
    const missing = needsFor(format);
    if (missing.length > 0) {
      log(
        'dist',
        `${format}: skipped, because this system lacks ${missing.map((need) => need.what).join(', ')}`,
      );
      skipped.push(format);
    } else {
      await makePackage(format, { app, electron: electron.version, into });
    }
  }
  return skipped;
}

/** What electron-builder makes. @param {Runtime} runtime @param {string[]} formats */
async function builderPackages({ electron, binding }, formats) {
  const folder = join(into, '.builder');
  try {
    const files = await buildWithBuilder({
      formats,
      into: folder,
      electron: electron.version,
      // A universal app needs the Electron of both processors, so electron-builder gets them.
      ...(process.platform === 'linux' ? { dist: electron.dist } : {}),
      binding,
      signed: isRelease,
    });
    for (const file of files) renameSync(file, join(into, basename(file)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** For the Windows package manager: where the installer is, and its checksum. */
async function winget() {
  const setup = readdirSync(into).find((name) => name.endsWith('-setup.exe'));
  if (setup === undefined) return;
  const { repository } = project();
  const manifests = wingetManifests({
    sha256: await sha256Of(join(into, setup)),
    url: `${repository}/releases/download/v${manifest().version}/${setup}`,
    date: new Date().toISOString().slice(0, 10),
  });
  for (const [name, content] of Object.entries(manifests))
    writeFileSync(join(into, name), stringify(content));
}

await exitWith(async () => {
  const { electron, env } = await prepareMachine();
  const reasons = await whyNoRelease(electron.version);
  if (isRelease && reasons.length > 0) {
    log('dist', `this is not a release:\n${reasons.map((reason) => `  - ${reason}`).join('\n')}`);
    return 1;
  }
  if (reasons.length > 0) log('dist', `for testing only, do not publish: ${reasons.join('; ')}`);
  if (!(await ensureBuilt())) return 1;
  rmSync(into, { recursive: true, force: true });
  const runtime = { electron, binding: env.DEEPDESK_SQLITE_BINDING };
  const skipped = await linuxPackages(
    runtime,
    formats.filter((format) => LINUX_FORMATS.includes(format)),
  );
  const builders = formats.filter((format) => ofBuilder.includes(format));
  if (builders.length > 0) await builderPackages(runtime, builders);
  await winget();
  const sums = readFileSync(await writeChecksums(into), 'utf8');
  for (const [, name = ''] of sums.matchAll(/^\S+ {2}(.+)$/gm))
    log('dist', `${name}: ${(statSync(join(into, name)).size / 1_000_000).toFixed(1)} MB`);
  return skipped.length > 0 && isRelease ? 1 : 0;
});
