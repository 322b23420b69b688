// Makes the packages that electron-builder knows: AppImage, dmg, zip, nsis and portable. Each is made on its own system.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM_LANGUAGES, layOut } from '../package/contents.mjs';
import { fusesForBuilder } from '../package/fuses.mjs';
import { root } from '../process.mjs';
import { manifest, project } from './project.mjs';
import { packagingTools } from './tools.mjs';

/** The formats of each system, as electron-builder names them. @type {Partial<Record<NodeJS.Platform, string[]>>} */
export const BUILDER_FORMATS = {
  linux: ['AppImage'],
  darwin: ['dmg', 'zip'],
  win32: ['nsis', 'portable'],
};

const resources = join(root, 'resources');

/** A file name with electron-builder's own placeholders. @param {string} rest ARCH stands for the processor */
const artifact = (rest) => `deepdesk-\${version}-${rest.replace('ARCH', `\${arch}`)}.\${ext}`;

/**
 * The configuration, but for what depends on this computer.
 * @param {object} options
 * @param {string} options.into
 * @param {string} options.electron its version
 * @param {string | undefined} options.dist the folder of an unpacked Electron; undefined: electron-builder downloads it
 * @param {boolean} options.signed false for trying
 */
function builderConfig({ into, electron, dist, signed }) {
  const { appId, updates, maintainer } = project();
  return {
    appId,
    productName: 'Deepdesk',
    executableName: 'deepdesk',
    copyright: `Copyright ${maintainer}`,
    directories: { output: into, buildResources: resources },
    electronVersion: electron,
    ...(dist === undefined ? {} : { electronDist: dist }),
    files: ['**/*'],
    asarUnpack: ['**/{*.node,*.dll,*.exe,rg,spawn-helper}'],
    extraResources: [{ from: resources, to: '.' }],
    extraFiles: ['LICENSE', 'THIRD_PARTY.md'].map((name) => ({
      from: join(root, name),
      to: process.platform === 'darwin' ? `Resources/${name}` : name,
    })),
    // macOS names them `en` and `zh_CN`.
    electronLanguages: [
      'en',
      ...CHROMIUM_LANGUAGES,
      ...CHROMIUM_LANGUAGES.map((one) => one.replace('-', '_')),
    ],
    npmRebuild: false,
    electronFuses: fusesForBuilder(),
    protocols: [{ name: 'Deepdesk', schemes: ['deepdesk'] }],
    // `SHA256SUMS` and the signed feed are made from the files; electron-builder uploads nothing.
    publish: { provider: 'generic', url: updates, publishAutoUpdate: true },
    linux: {
      category: 'Development',
      icon: join(resources, 'icon.png'),
      artifactName: artifact('linux-ARCH'),
    },
    mac: {
      category: 'public.app-category.developer-tools',
      icon: join(resources, 'icon.png'),
      artifactName: artifact('mac-ARCH'),
      hardenedRuntime: true,
      entitlements: join(root, 'packaging', 'mac', 'entitlements.plist'),
      entitlementsInherit: join(root, 'packaging', 'mac', 'entitlements.plist'),
      notarize: signed,
      forceCodeSigning: signed,
      // Both halves hold the native packages for both processors.
      x64ArchFiles: '**/*{darwin-x64,darwin-arm64}*{,/**}',
    },
    win: { icon: join(resources, 'icon.png'), forceCodeSigning: signed },
    nsis: {
      oneClick: true,
      perMachine: false,
      deleteAppDataOnUninstall: false,
      artifactName: artifact('windows-ARCH-setup'),
    },
    portable: { artifactName: artifact('windows-ARCH-portable') },
  };
}

/**
 * Runs electron-builder on the build in out/.
 * @param {object} options
 * @param {string[]} options.formats or `dir`, the unpacked app
 * @param {string} options.into where the packages go
 * @param {string} options.electron its version
 * @param {string} [options.dist]
 * @param {string | undefined} [options.binding] the SQLite binding, if the package's own does not fit
 * @param {boolean} [options.signed] true fails without the keys for signing
 * @returns {Promise<string[]>} the files
 */
export async function buildWithBuilder({ formats, into, electron, dist, binding, signed = false }) {
  const { build, Platform, Arch } = (await packagingTools())('electron-builder');
  const isMac = process.platform === 'darwin';
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-builder-'));
  try {
    const app = join(folder, 'app');
    const packages = layOut(app, { binding, ...(isMac ? { architectures: ['x64', 'arm64'] } : {}) });
    const file = join(app, 'package.json');
    // It takes of node_modules what the manifest names.
    const dependencies = Object.fromEntries(packages.map((name) => [name, '*']));
    const { maintainer, email, homepage } = project();
    const author = { name: maintainer, email };
    writeFileSync(
      file,
      JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), author, homepage, dependencies }),
    );
    const platform = Platform.current();
    const arch = isMac ? Arch.universal : Arch[/** @type {'x64' | 'arm64'} */ (process.arch)];
    return await build({
      targets: platform.createTarget(formats, arch),
      projectDir: app,
      publish: 'never',
      config: builderConfig({ into, electron, dist, signed }),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What winget needs to know to offer the installer for Windows, by file name. @param {{ sha256: string, url: string, date: string }} installer */
export function wingetManifests({ sha256, url, date }) {
  const { version, description, license } = manifest();
  const { name, maintainer, homepage, repository } = project();
  const identifier = `${name}.${name}`;
  const shared = { PackageIdentifier: identifier, PackageVersion: version, ManifestVersion: '1.6.0' };
  return {
    [`${identifier}.yaml`]: { ...shared, DefaultLocale: 'en-US', ManifestType: 'version' },
    [`${identifier}.installer.yaml`]: {
      ...shared,
      InstallerType: 'nullsoft',
      Scope: 'user',
      UpgradeBehavior: 'install',
      Protocols: ['deepdesk'],
      ReleaseDate: date,
      Installers: [{ Architecture: 'x64', InstallerUrl: url, InstallerSha256: sha256.toUpperCase() }],
      ManifestType: 'installer',
    },
    [`${identifier}.locale.en-US.yaml`]: {
      ...shared,
      PackageLocale: 'en-US',
      Publisher: maintainer,
      PackageName: name,
      PackageUrl: homepage,
      License: license,
      LicenseUrl: `${repository}/blob/v${version}/LICENSE`,
      ShortDescription: description,
      ManifestType: 'defaultLocale',
    },
  };
}
