// Makes tar.gz, deb and rpm from the folder that `packageApp` writes.
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PROGRAM } from '../package/app.mjs';
import { root, run } from '../process.mjs';
import { isOnPath } from '../runtime/system-packages.mjs';
import { manifest, project } from './project.mjs';
import { packagingTools } from './tools.mjs';

/**
 * What a package is made of.
 * @typedef {object} Source
 * @property {string} app the folder of the packaged app
 * @property {string} electron the version of its Electron
 * @property {string} into where the package goes
 * @property {string} [version] default: the version in package.json
 * @property {boolean} [quick] compress little or not at all, for tests
 */

/** What Electron links or starts, as Debian names it, with the names of releases that have 64-bit time. */
const DEB_DEPENDS = [
  'libc6',
  'libgtk-3-0t64 | libgtk-3-0',
  'libnss3',
  'libasound2t64 | libasound2',
  'libgbm1',
  'libnotify4',
  'libsecret-1-0',
  // `gio`, which moves files to the trash.
  'libglib2.0-bin',
  'xdg-utils',
];
const DEB_RECOMMENDS = ['bubblewrap', 'fonts-dejavu-core | fonts-freefont-ttf', 'git'];

const RPM_REQUIRES = [
  'gtk3',
  'nss',
  'alsa-lib',
  '(mesa-libgbm or libgbm1)',
  'libnotify',
  'libsecret',
  'glib2',
  'xdg-utils',
];

const linux = join(root, 'packaging', 'linux');

/** The programs that a format needs, with the Debian packages that bring them. @type {Record<string, Record<string, string>>} */
const PROGRAMS = {
  'tar.gz': { tar: 'tar', gzip: 'gzip' },
  deb: { 'dpkg-deb': 'dpkg', fakeroot: 'fakeroot' },
  rpm: { rpmbuild: 'rpm' },
};

/** The formats that are made on Linux. */
export const LINUX_FORMATS = Object.keys(PROGRAMS);

/** What this system lacks for a format. @param {string} format @returns {import('../runtime/system-packages.mjs').Need[]} */
export function needsFor(format) {
  return Object.entries(PROGRAMS[format] ?? {})
    .filter(([program]) => !isOnPath(program))
    .map(([program, name]) => ({ what: `${program}, for ${format}`, packages: [name] }));
}

/** The name of this processor in the file names of a format. @param {'deb' | 'rpm'} format */
function architecture(format) {
  const names = { x64: { deb: 'amd64', rpm: 'x86_64' }, arm64: { deb: 'arm64', rpm: 'aarch64' } };
  const found = names[/** @type {keyof typeof names} */ (process.arch)];
  if (!found) throw new Error(`there is no Electron for Linux on ${process.arch}`);
  return found[format];
}

/** Of the packages of one version. */
const REVISION = '1';

/** Options that both installers take. @param {Source} source */
function shared({ app, into, version = manifest().version }) {
  const { description } = manifest();
  const { homepage } = project();
  return {
    src: app,
    dest: into,
    name: PROGRAM,
    bin: PROGRAM,
    version,
    revision: REVISION,
    homepage,
    // Package managers show it after the name: both their guidelines want no article, and no repetition below.
    description: description.replace(/^A (.)/, (_, first) => first.toUpperCase()),
    productDescription:
      'Deepdesk works in folders that you choose. It asks before risky steps, runs commands in a sandbox, and can undo what it changed.',
    icon: icons(),
    desktopTemplate: join(app, 'deepdesk.desktop'),
  };
}

/** The app's icon in each size that it was drawn in. Panels and older desktops do not scale. @returns {Record<string, string>} */
function icons() {
  const folder = join(linux, 'icons');
  const small = readdirSync(folder).map((name) => [basename(name, '.png'), join(folder, name)]);
  return {
    ...Object.fromEntries(small),
    '512x512': join(root, 'resources', 'icon.png'),
    scalable: join(root, 'resources', 'icon.svg'),
  };
}

/** The page of `man deepdesk`, below /usr. */
const MAN_PAGE = `share/man/man1/${PROGRAM}.1.gz`;

/**
 * Adds what a distribution expects beside the program: whose work it is, what changed, and the page of the manual.
 * @param {string} usr the folder of the package
 * @param {string | undefined} debianChangelog
 */
function addDocuments(usr, debianChangelog) {
  const documents = join(usr, 'share', 'doc', PROGRAM);
  const others = ['LICENSE.electron.txt', 'LICENSES.chromium.html', 'THIRD_PARTY.md'];
  appendFileSync(
    join(documents, 'copyright'),
    `\nElectron, Chromium and the other parts have licenses of their own:\n${others.map((name) => `  /usr/lib/${PROGRAM}/${name}\n`).join('')}`,
  );
  // No time in the archive, so that the same source gives the same file.
  const zipped = (/** @type {string} */ file) => gzipSync(readFileSync(file), { level: 9 });
  if (debianChangelog !== undefined)
    writeFileSync(join(documents, 'changelog.Debian.gz'), gzipSync(debianChangelog, { level: 9 }), {
      mode: 0o644,
    });
  writeFileSync(join(documents, 'changelog.gz'), zipped(join(root, 'CHANGELOG.md')), { mode: 0o644 });
  const page = join(usr, MAN_PAGE);
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, zipped(join(linux, `${PROGRAM}.1`)), { mode: 0o644 });
}

/**
 * Makes a package in an empty folder, and moves the one file into place.
 * @param {string} into
 * @param {(folder: string) => Promise<void>} make
 */
async function oneFile(into, make) {
  mkdirSync(into, { recursive: true });
  const folder = mkdtempSync(join(into, '.making-'));
  try {
    await make(folder);
    const [name, ...others] = readdirSync(folder);
    if (name === undefined || others.length > 0)
      throw new Error(`expected one package, not ${others.length}`);
    renameSync(join(folder, name), join(into, name));
    return join(into, name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes a package with one of the installers, whose own list of dependencies is replaced: it names packages that Electron
 * has not used for years. The installers read Electron's version from a file that the packaged app does not have.
 * @param {any} Installer
 * @param {Source} source
 * @param {Record<string, unknown>} options
 * @param {Record<string, string[]>} dependencies
 * @param {string} [debianChangelog]
 */
async function runInstaller(Installer, source, options, dependencies, debianChangelog) {
  const copies = mkdtempSync(join(tmpdir(), 'deepdesk-dist-'));
  try {
    const src = join(copies, basename(source.app));
    cpSync(source.app, src, { recursive: true });
    writeFileSync(join(src, 'version'), source.electron);
    for (const name of ['deepdesk.desktop', 'deepdesk.png']) rmSync(join(src, name));
    const installer = new Installer({ ...shared(source), ...options, src, logger: () => undefined });
    await installer.generateDefaults();
    Object.assign(installer.defaults, dependencies);
    installer.generateOptions();
    await installer.generateScripts?.();
    await installer.createStagingDir();
    await installer.createContents();
    addDocuments(join(installer.stagingDir, installer.baseAppDir), debianChangelog);
    prepareSpec(installer.specPath);
    rmSync(join(installer.stagingAppDir, 'version'));
    await installer.createPackage();
    await installer.movePackage();
  } finally {
    rmSync(copies, { recursive: true, force: true });
  }
}

/**
 * Keeps rpmbuild from changing Electron's programs, and from adding links by build id: every package with the same Electron
 * has the same ones, so two of them could not be installed together. Lists the page of the manual.
 * @param {string | undefined} file undefined for a deb
 */
function prepareSpec(file) {
  if (file === undefined) return;
  const kept = '%define _build_id_links none\n%global __strip /bin/true\n%global __os_install_post %{nil}\n';
  const spec = readFileSync(file, 'utf8').replace(/^%files$/m, `%files\n/usr/${MAN_PAGE}`);
  writeFileSync(file, `${kept}${spec}`);
}

/** @param {Source} source */
async function tarGz({ app, into, version = manifest().version, quick = false }) {
  return oneFile(into, async (folder) => {
    const name = `deepdesk-${version}-linux-${process.arch}.tar.gz`;
    const ran = await run('tar', [
      ...['--create', `--file=${join(folder, name)}`, `--directory=${dirname(app)}`],
      ...['--owner=root:0', '--group=root:0', '--sort=name'],
      `--use-compress-program=gzip --no-name ${quick ? '-1' : '-9'}`,
      basename(app),
    ]);
    if (ran.code !== 0) throw new Error(`tar failed: ${ran.output}`);
  });
}

/**
 * The changes to the Debian package, in the format of Debian's policy. Dated like the commit, so that the same source gives the
 * same file.
 * @param {string} version @param {string} maintainer
 */
async function debianChangelog(version, maintainer) {
  const { code, stdout } = await run('git', ['log', '-1', '--format=%aD']);
  const date = code === 0 ? stdout.trim() : new Date().toUTCString().replace('GMT', '+0000');
  return `${PROGRAM} (${version}-${REVISION}) stable; urgency=medium\n\n  * New version. changelog.gz lists its changes.\n\n -- ${maintainer}  ${date}\n`;
}

/** @param {Source} source */
async function deb(source) {
  const { Installer } = (await packagingTools())('electron-installer-debian');
  const { maintainer: name, email } = project();
  const maintainer = `${name} <${email}>`;
  const changes = await debianChangelog(source.version ?? manifest().version, maintainer);
  return oneFile(source.into, (folder) =>
    runInstaller(
      Installer,
      { ...source, into: folder },
      {
        arch: architecture('deb'),
        maintainer,
        section: 'utils',
        priority: 'optional',
        compression: source.quick ? 'none' : 'xz',
        rename: (/** @type {string} */ into) => join(into, '<%= name %>_<%= version %>_<%= arch %>.deb'),
        scripts: { postinst: join(linux, 'after-install.sh'), postrm: join(linux, 'after-remove.sh') },
      },
      { depends: DEB_DEPENDS, recommends: DEB_RECOMMENDS, suggests: [] },
      changes,
    ),
  );
}

/** @param {Source} source */
async function rpm(source) {
  const { Installer } = (await packagingTools())('electron-installer-redhat');
  return oneFile(source.into, (folder) =>
    runInstaller(
      Installer,
      { ...source, into: folder },
      {
        arch: architecture('rpm'),
        license: manifest().license,
        // All processors.
        compressionLevel: source.quick ? '0T0' : '6T0',
        rename: (/** @type {string} */ into) => join(into, '<%= name %>-<%= version %>.<%= arch %>.rpm'),
        scripts: { post: join(linux, 'after-install.sh'), postun: join(linux, 'after-remove.sh') },
      },
      { requires: RPM_REQUIRES },
    ),
  );
}

/** @type {Record<string, (source: Source) => Promise<string>>} */
const MAKERS = { 'tar.gz': tarGz, deb, rpm };

/** Makes one package. @param {string} format @param {Source} source @returns {Promise<string>} its file */
export async function makePackage(format, source) {
  const make = MAKERS[format];
  if (!make) throw new Error(`there is no format ${format}; there are ${LINUX_FORMATS.join(', ')}`);
  return make(source);
}
