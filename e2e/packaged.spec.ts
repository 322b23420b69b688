import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractFile, listPackage } from '@electron/asar';
import { test as base, expect } from '@playwright/test';
import { PROGRAM } from '../scripts/package/app.mjs';
import { readFuses } from '../scripts/package/fuses.mjs';
import { withoutNoise } from '../scripts/runtime/chromium-noise.mjs';
import { giveToApp, makeFolder } from './support/app';
import { type PackagedApp, packagedProgram, sandboxed, startPackaged } from './support/packaged';
import { listeningSockets } from './support/processes';
import { currentRun } from './support/run';
import { allow, composer, idle, messages, say, skipFirstRun } from './support/window';

/** Kills what a test started when the test is over. */
const test = base.extend<{ start: (options?: Parameters<typeof startPackaged>[1]) => Promise<PackagedApp> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that a fixture needs from this pattern.
  start: async ({}, use, info) => {
    const started: PackagedApp[] = [];
    await use(async (options) => {
      const app = startPackaged(await packagedProgram(), options);
      started.push(app);
      return app;
    });
    for (const app of started) {
      await app.close();
      if (info.status !== info.expectedStatus)
        await info.attach('output of the app', {
          body: withoutNoise(app.output()),
          contentType: 'text/plain',
        });
    }
  },
});

test.skip(process.platform !== 'linux', 'packages are made on Linux so far');

/** A PDF of one page with one line of text. */
function pdfOf(line: string): string {
  const stream = `BT /F1 24 Tf 72 700 Td (${line}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj${body}endobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
}

test('the packaged app completes a first conversation with every part outside the bundle', async ({
  start,
}) => {
  const app = await start();
  const page = await app.page();
  await skipFirstRun(page);
  const sample = join(app.dataDir, 'sample-project');
  writeFileSync(join(sample, 'paper.pdf'), pdfOf('Words out of a document'));
  giveToApp(sample);
  // ripgrep, a program beside the archive.
  await say(page, 'find "total" in src');
  await idle(page);
  await expect(messages(page)).toContainText('sum.js');
  // The worker for documents, which is in the archive.
  await say(page, 'read paper.pdf');
  await idle(page);
  await expect(messages(page)).toContainText(/read \d+ lines? of\s*paper\.pdf/);
  // The terminal's native module, and the worker that saves previous file versions.
  await say(page, 'run echo made > made.txt; cat made.txt');
  await allow(page);
  await idle(page);
  await expect(messages(page)).toContainText('exit code 0');
  await expect
    .poll(() => existsSync(join(app.dataDir, 'changes')) && readdirSync(join(app.dataDir, 'changes')).length)
    .toBeGreaterThan(0);
  await expect(composer(page)).toBeEnabled();
  expect(app.output()).not.toContain('[deepdesk]');
});

test('its fuses are set as documented', async () => {
  expect(await readFuses(await packagedProgram())).toEqual({
    RunAsNode: false,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    OnlyLoadAppFromAsar: true,
    // Electron checks archives on macOS and Windows only.
    EnableEmbeddedAsarIntegrityValidation: false,
    EnableCookieEncryption: true,
    GrantFileProtocolExtraPrivileges: false,
    LoadBrowserProcessSpecificV8Snapshot: false,
  });
});

test('no variable, switch or signal turns it into another program or a debugger', async ({ start }) => {
  const folder = makeFolder('canary');
  const canary = (name: string) => join(folder, name);
  const script = (name: string) => `require('node:fs').writeFileSync(${JSON.stringify(canary(name))}, '')`;
  const preload = join(folder, 'preload.cjs');
  writeFileSync(preload, script('required'));
  const binding = join(folder, 'binding.node');
  writeFileSync(binding, 'not a library');
  giveToApp(folder);
  const env = {
    ELECTRON_RUN_AS_NODE: '1',
    NODE_OPTIONS: `--require ${preload}`,
    DEEPDESK_SQLITE_BINDING: binding,
  };
  // The bare Electron accepts it: the attempts below would work without the fuses.
  const { program, user, temp } = currentRun();
  const bare = spawnSync(program, ['-e', script('bare')], { cwd: temp, env, ...user });
  expect([bare.status, existsSync(canary('bare')), existsSync(canary('required'))]).toEqual([0, true, true]);
  execFileSync('rm', [canary('required')]);

  const app = await start({
    debugging: false,
    env,
    args: [
      '--inspect=127.0.0.1:0',
      '--inspect-brk=127.0.0.1:0',
      '--require',
      preload,
      '-e',
      script('evaluated'),
    ],
  });
  const database = join(app.dataDir, 'deepdesk.db');
  await expect.poll(() => existsSync(database) || app.ended()).toBe(true);
  process.kill(app.pid, 'SIGUSR1');
  // Another process, so that a debugger would have had time to listen.
  await expect.poll(() => existsSync(join(app.dataDir, 'sample-project', 'README.md'))).toBe(true);
  expect(listeningSockets(app.pid)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(['bare', 'binding.node', 'preload.cjs']);
  expect(app.output()).not.toMatch(/debugger listening/i);
  expect(app.ended()).toBeNull();
});

test('an app beside the archive is not loaded in its place', async () => {
  const program = await packagedProgram();
  const folder = makeFolder('swapped');
  const copy = join(folder, 'app');
  execFileSync('cp', ['-r', join(program, '..'), copy]);
  execFileSync('rm', ['-r', join(copy, 'resources', 'app.asar')]);
  const planted = join(copy, 'resources', 'app');
  mkdirSync(planted);
  writeFileSync(join(planted, 'package.json'), JSON.stringify({ main: 'main.cjs' }));
  const canary = join(folder, 'ran');
  writeFileSync(
    join(planted, 'main.cjs'),
    `require('node:fs').writeFileSync(${JSON.stringify(canary)}, ''); process.exit(0)`,
  );
  giveToApp(folder);
  sandboxed(copy);
  const app = startPackaged(join(copy, PROGRAM), { debugging: false });
  await expect.poll(() => app.ended() !== null || /Error|Unable|Cannot/.test(app.output())).toBe(true);
  await app.close();
  expect(existsSync(canary)).toBe(false);
});

test('the archive contains what runs, and no source map, document or test', async () => {
  const resources = join(await packagedProgram(), '..', 'resources');
  const archive = join(resources, 'app.asar');
  const files = listPackage(archive, { isPack: false });
  expect(
    files.filter((file) => /\.(map|md|ts|c|cpp|h)$|third-party\.json|cli\.js|testing/.test(file)),
  ).toEqual([]);
  expect(JSON.parse(extractFile(archive, 'package.json').toString())).toMatchObject({ name: 'deepdesk' });
  const outside = execFileSync('find', [`${archive}.unpacked`, '-type', 'f'], { encoding: 'utf8' });
  expect(
    outside
      .trim()
      .split('\n')
      .map((file) => file.split('/').at(-1))
      .sort(),
  ).toEqual(['better_sqlite3.node', 'pty.node', 'rg']);
});

test("Chromium's own texts are there in the window's languages alone", async () => {
  const names = readdirSync(join(await packagedProgram(), '..', 'locales')).toSorted();
  expect(names).toEqual(['en-US.pak', 'zh-CN.pak', 'zh-TW.pak']);
});

test('the desktop entry names what it opens', async () => {
  const entry = readFileSync(join(await packagedProgram(), '..', 'deepdesk.desktop'), 'utf8');
  expect(entry).toContain('Exec=deepdesk %U\n');
  expect(entry).toContain('MimeType=x-scheme-handler/deepdesk;inode/directory;\n');
  expect(existsSync(join(await packagedProgram(), '..', 'deepdesk.png'))).toBe(true);
});

test("its renderer runs in Chromium's sandbox", async ({ start }) => {
  test.skip(currentRun().sandboxOff !== null, currentRun().sandboxOff ?? '');
  const app = await start();
  await expect(composer(await app.page())).toBeVisible();
  const renderers = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return words.includes('--type=renderer') && words.includes(app.dataDir);
    } catch {
      return false;
    }
  });
  expect(renderers.length).toBeGreaterThan(0);
  for (const pid of renderers) {
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\s*2$/m);
    expect(readlinkSync(`/proc/${pid}/ns/net`)).not.toBe(readlinkSync('/proc/self/ns/net'));
  }
});
