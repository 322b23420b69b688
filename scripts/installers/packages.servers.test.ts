import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { listPackage } from '@electron/asar';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ensureBuilt } from '../build/app.mjs';
import { packageApp } from '../package/app.mjs';
import { readFuses } from '../package/fuses.mjs';
import { run } from '../process.mjs';
import { startXvfb } from '../runtime/display.mjs';
import { prepareMachine } from '../runtime/prepare.mjs';
import { isOnPath } from '../runtime/system-packages.mjs';
import { buildWithBuilder } from './builder.mjs';
import { makePackage, needsFor } from './linux.mjs';
import { manifest } from './project.mjs';
import { CleanRoot, whyNoCleanRoot } from './testing/clean-root';

const lacking = [...needsFor('deb').map((need) => need.what), ...(isOnPath('Xvfb') ? [] : ['Xvfb'])];
const why = whyNoCleanRoot() ?? (lacking.length > 0 ? `this system lacks ${lacking.join(', ')}` : null);

/** Milliseconds for packages that are downloaded and installed on a busy machine. */
const INSTALL_WITHIN = 600_000;
const OLDER = '0.0.1';
const PROFILE = 'etc/apparmor.d/deepdesk';

let folder: string | undefined;
let source: { app: string; electron: string; quick: boolean };
let runtime: { dist: string; binding: string | undefined };
let root: CleanRoot;
/** The files of both packages. */
let older: string;
let current: string;
let display: Awaited<ReturnType<typeof startXvfb>>;

/** Starts the installed app as a person who is not an administrator, and resolves when its window is there. */
async function start(): Promise<{ page: Page; close: () => Promise<void> }> {
  const child = root.start('deepdesk', ['--remote-debugging-port=0'], display.env);
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
  const browser: Browser = await chromium.connectOverCDP(await debuggerAddress(child));
  const context = browser.contexts()[0];
  if (context === undefined) throw new Error('the app has no browser context');
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  return {
    page,
    close: async () => {
      await browser.close();
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      expect((await gone)[0]).toBe(0);
    },
  };
}

function debuggerAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const found = /DevTools listening on (ws:\S+)/.exec(printed)?.[1];
        if (found !== undefined) resolve(found);
      });
    child.once('exit', (code) => reject(new Error(`the app exited with ${code}\n${printed}`)));
  });
}

const messages = (page: Page) => page.getByRole('log', { name: 'Messages' });

/** The first conversation: the sample project, a message, and a command that is asked about. */
async function firstJourney(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Skip' }).click();
  const composer = page.getByRole('textbox', { name: 'Message to the agent' });
  await composer.fill('run echo installed > made.txt; cat made.txt');
  await composer.press('Enter');
  await page
    .locator('[data-approval]')
    .getByRole('button', { name: /^(Allow once|Keep all)/ })
    .click();
  await messages(page).getByText('exit code 0').first().waitFor();
}

/** The version that the package manager knows. */
const installedVersion = () => root.asRoot('dpkg-query', ['--show', `--showformat=\${Version}`, 'deepdesk']);

beforeAll(async () => {
  if (process.platform !== 'linux') return;
  folder = mkdtempSync(join(tmpdir(), 'deepdesk-packages-'));
  const { electron, env } = await prepareMachine();
  expect(await ensureBuilt()).toBe(true);
  const app = await packageApp({ dist: electron.dist, binding: env.DEEPDESK_SQLITE_BINDING, into: folder });
  runtime = { dist: electron.dist, binding: env.DEEPDESK_SQLITE_BINDING };
  source = { app, electron: electron.version, quick: true };
}, INSTALL_WITHIN);

afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(why !== null)(`the deb package${why === null ? '' : ` (skipped: ${why})`}`, () => {
  beforeAll(async () => {
    const made = Promise.all([
      CleanRoot.create(join(folder ?? '', 'root')),
      makePackage('deb', { ...source, into: join(folder ?? '', 'older'), version: OLDER }),
      makePackage('deb', { ...source, into: join(folder ?? '', 'current') }),
      startXvfb(),
    ]);
    [root, older, current, display] = await made;
  }, INSTALL_WITHIN);

  afterAll(() => display?.stop());

  it(
    'installs into a clean system, runs for an ordinary user, upgrades and removes itself, and keeps the data',
    async () => {
      await root.install(['apparmor', 'desktop-file-utils', older]);
      expect(await installedVersion()).toBe(`${OLDER}-1`);

      const advice = await root.asRoot('desktop-file-validate', ['/usr/share/applications/deepdesk.desktop']);
      expect(advice).toBe('');
      expect(await root.asUser('xdg-mime', ['query', 'default', 'x-scheme-handler/deepdesk'])).toBe(
        'deepdesk.desktop\n',
      );
      const usr = join(root.folder, 'usr');
      for (const size of ['16x16', '32x32', '48x48', '256x256', '512x512'])
        expect(existsSync(join(usr, `share/icons/hicolor/${size}/apps/deepdesk.png`)), size).toBe(true);
      const copyright = readFileSync(join(usr, 'share/doc/deepdesk/copyright'), 'utf8');
      for (const [file] of copyright.matchAll(/^ {2}\/usr\S+$/gm))
        expect(existsSync(join(root.folder, file.trim())), file).toBe(true);
      expect(existsSync(join(usr, 'share/man/man1/deepdesk.1.gz'))).toBe(true);
      const changes = gunzipSync(readFileSync(join(usr, 'share/doc/deepdesk/changelog.Debian.gz')));
      expect(changes.toString()).toMatch(
        new RegExp(
          `^deepdesk \\(${OLDER}-1\\) stable; urgency=medium\n\n {2}\\* .+\n\n -- .+ <.+> {2}\\w{3}, .+\n$`,
        ),
      );
      const libraries = readdirSync(join(usr, 'lib/deepdesk')).filter((name) => name.includes('.so'));
      expect(libraries.length).toBeGreaterThan(3);
      for (const name of libraries)
        expect(statSync(join(usr, 'lib/deepdesk', name)).mode & 0o777, name).toBe(0o644);
      expect(statSync(join(usr, 'lib/deepdesk/chrome-sandbox')).mode & 0o7777).toBe(0o4755);
      // Ours, for a namespace of the user's own, in the folder that AppArmor reads at each start.
      expect(readFileSync(join(root.folder, PROFILE), 'utf8')).toMatch(/^ {2}userns,$/m);
      await root.asRoot('apparmor_parser', ['-Q', '-K', `/${PROFILE}`]);

      const first = await start();
      await firstJourney(first.page);
      await first.close();

      await root.install([current]);
      expect(await installedVersion()).toBe(`${manifest().version}-1`);
      const second = await start();
      await messages(second.page).getByText('exit code 0').first().waitFor();
      await second.close();

      await root.asRoot('apt-get', ['-qq', '-y', 'remove', 'deepdesk']);
      for (const gone of [
        'usr/lib/deepdesk',
        'usr/bin/deepdesk',
        'usr/share/applications/deepdesk.desktop',
        PROFILE,
      ])
        expect(existsSync(join(root.folder, gone)), gone).toBe(false);
      const data = readdirSync(root.home, { recursive: true }).map(String);
      expect(data.some((file) => file.endsWith('deepdesk.db'))).toBe(true);
    },
    INSTALL_WITHIN,
  );
});

const onLinux = process.platform === 'linux';
const noRpm = needsFor('rpm').map((need) => need.what);

describe.skipIf(noRpm.length > 0)(
  `the rpm package${noRpm.length > 0 ? ` (skipped: this system lacks ${noRpm.join(', ')})` : ''}`,
  () => {
    it(
      'unpacks to the same program, and needs and runs what its system has',
      async () => {
        const file = await makePackage('rpm', { ...source, into: join(folder ?? '', 'rpm') });
        const ask = async (...args: string[]) =>
          (await run('rpm', ['--query', '--package', ...args, file])).stdout;
        expect(await ask('--queryformat=%{NAME} %{VERSION} %{LICENSE}')).toBe(
          `deepdesk ${manifest().version} ${manifest().license}`,
        );
        expect((await ask('--requires')).split('\n')).toEqual(
          expect.arrayContaining(['gtk3', 'nss', 'xdg-utils']),
        );
        expect(await ask('--scripts')).toContain('chmod 4755 "$app/chrome-sandbox"');
        const list = await ask('--list');
        expect(list).not.toContain('.build-id');
        expect(list).toContain('/usr/share/man/man1/deepdesk.1.gz\n');
        expect(list).toContain('/usr/share/icons/hicolor/48x48/apps/deepdesk.png\n');

        const into = join(folder ?? '', 'rpm-root');
        const args = ['--install', `--root=${into}`, '--nodeps', '--noscripts', file];
        expect((await run('rpm', args)).code).toBe(0);
        const installed = join(into, 'usr/lib/deepdesk');
        expect(
          readFileSync(join(installed, 'deepdesk')).equals(readFileSync(join(source.app, 'deepdesk'))),
        ).toBe(true);
        expect(existsSync(join(into, 'usr/share/applications/deepdesk.desktop'))).toBe(true);
      },
      INSTALL_WITHIN,
    );
  },
);

describe.skipIf(!onLinux)(
  `the tar.gz package${onLinux ? '' : ' (skipped: packages for Linux are made on Linux)'}`,
  () => {
    it('unpacks to the app, owned by root', async () => {
      // What it packs does not matter, and the whole app takes half a minute on a busy machine.
      const app = join(folder ?? '', 'Deepdesk-small');
      mkdirSync(join(app, 'resources'), { recursive: true });
      writeFileSync(join(app, 'deepdesk'), '');
      chmodSync(join(app, 'deepdesk'), 0o755);
      writeFileSync(join(app, 'resources', 'app.asar'), '');
      const file = await makePackage('tar.gz', { ...source, app, into: join(folder ?? '', 'tar') });
      const { stdout } = await run('tar', ['--list', '--verbose', '--numeric-owner', `--file=${file}`]);
      expect(stdout).toMatch(/^-rwxr-xr-x 0\/0 .*\/deepdesk$/m);
      expect(stdout).toMatch(/\/resources\/app\.asar$/m);
    });
  },
);

describe.skipIf(!onLinux)(
  `electron-builder${onLinux ? '' : ' (skipped: the packages of this system are made by the release workflow)'}`,
  () => {
    it(
      'accepts the configuration, and makes an app with the same fuses and files as ours',
      async () => {
        const into = join(folder ?? '', 'builder');
        // It checks the whole configuration, including that of other systems, by its schema.
        await buildWithBuilder({
          formats: ['dir'],
          into,
          electron: source.electron,
          dist: runtime.dist,
          binding: runtime.binding,
        });
        const made = join(into, 'linux-unpacked');
        expect(await readFuses(join(made, 'deepdesk'))).toEqual(
          await readFuses(join(source.app, 'deepdesk')),
        );
        const archive = (app: string) =>
          listPackage(join(app, 'resources/app.asar'), { isPack: false })
            .filter((file) => /\.(js|node|html|wasm)$/.test(file))
            .sort();
        expect(archive(made)).toEqual(archive(source.app));
        expect(existsSync(join(made, 'resources/sample-project'))).toBe(true);
      },
      INSTALL_WITHIN,
    );
  },
);
