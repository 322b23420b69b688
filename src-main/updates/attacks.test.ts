// What somebody can try who controls the network or the server, but not the project's key; and two apps that share one file.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeKeys } from '../../scripts/installers/feed.mjs';
import { run } from '../../scripts/process.mjs';
import { cleanups } from '../base/testing/cleanups';
import {
  app,
  appText,
  check,
  downloads,
  expectUntouched,
  failed,
  install,
  OLD,
  open,
  place,
  server,
} from './testing/installed-app';
import { packageOf } from './testing/update-server';

beforeEach(install);

const served = (name: string) => join(server.folder, name);

describe('what the project signed once is not used for something else:', () => {
  it('the signature of another list', async () => {
    await server.publish('1.0.5');
    const signature = readFileSync(served('updates.json.sig'));
    await server.publish('1.1.0');
    writeFileSync(served('updates.json.sig'), signature);
    expectUntouched(await check(), 'update_signature_wrong');
  });

  it('an older package under the name of the new one', async () => {
    const older = await server.publish('1.0.5');
    await server.publish('1.1.0');
    writeFileSync(served(packageOf('1.1.0')), older);
    expectUntouched(await check(), 'update_wrong_contents');
  });

  it('an older list, after a package of the newer one was refused', async () => {
    await server.publish('1.0.5', { now: Date.now() - 60_000 });
    cpSync(server.folder, join(place, 'older'), { recursive: true });
    await server.publish('1.1.0');
    writeFileSync(served(packageOf('1.1.0')), 'changed');
    const seen = { date: 0 };
    expectUntouched(await check({}, { seen }), 'update_wrong_size');
    cpSync(join(place, 'older'), server.folder, { recursive: true });
    expectUntouched(await check({}, { seen }), 'update_feed_replayed');
  });
});

describe('a server cannot keep the app busy or fill the disk:', () => {
  /** Answers for ever with a few bytes now and then, each well within the time of silence. */
  const drip = (path: string) =>
    server.answers.set(path, (_, response, body) => {
      response.writeHead(200);
      let at = 0;
      const timer = setInterval(() => {
        response.write(body?.subarray(at, at + 1) ?? '');
        at += 1;
      }, 20);
      response.on('close', () => clearInterval(timer));
    });

  it.each(['updates.json', 'updates.json.sig', packageOf('1.1.0')])('%s comes byte by byte', async (path) => {
    await server.publish('1.1.0');
    drip(path);
    expectUntouched(await check({ patience: { silence: 500 } }), 'update_too_slow');
  });

  it('but a computer that slept during a download continues it', async () => {
    await server.publish('1.1.0');
    server.answers.set(packageOf('1.1.0'), (_, response, body) => {
      response.write(body?.subarray(0, 10_000), () => {
        // Blocks this process, with the app in it, for longer than the time of silence.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900);
        response.end(body?.subarray(10_000));
      });
    });
    expect((await check({ patience: { silence: 600 } })).state.phase).toBe('ready');
  });

  it('a list unpacks to a thousand times its size', async () => {
    await server.publish('1.1.0');
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    server.answers.set('updates.json', (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    expectUntouched(await check(), 'update_feed_form');
  });

  it('redirects have no end', async () => {
    await server.publish('1.1.0');
    server.answers.set('updates.json', (_, response) =>
      response.writeHead(302, { location: '/updates.json' }).end(),
    );
    expectUntouched(await check(), 'update_redirected');
    expect(server.requests.length).toBeLessThan(10);
  });

  it('only a part of a package is sent, as if the app had the rest', async () => {
    await server.publish('1.1.0');
    server.answers.set(packageOf('1.1.0'), (_, response, body) =>
      response.writeHead(206, { 'content-range': 'bytes 100-199/300014' }).end(body?.subarray(100, 200)),
    );
    expectUntouched(await check(), 'update_answer');
  });
});

it('downloads a package from the start if a kill left a part of it', async () => {
  const contents = await server.publish('1.1.0');
  mkdirSync(join(place, 'downloads', 'pending'), { recursive: true });
  for (const name of [`temp-${packageOf('1.1.0')}`, packageOf('1.1.0')])
    writeFileSync(join(place, 'downloads', 'pending', name), contents.subarray(0, 100));
  const { updates, state } = await check();
  expect(state.phase).toBe('ready');
  updates.applyNow();
  expect(readFileSync(app).equals(contents)).toBe(true);
});

describe('a new key', () => {
  it('signs together with the old one, so that apps with either accept the list', async () => {
    const next = makeKeys();
    await server.publish('1.1.0', { also: next.privateKey });
    const other = { feed: server.url, key: makeKeys().publicKey };
    expectUntouched(await check({ source: other }), 'update_signature_wrong');
    expect((await check()).state.phase).toBe('ready');
    const source = { feed: server.url, key: next.publicKey };
    expect((await check({ source })).state.phase).toBe('ready');
  });

  it('is the only one that counts once an app has it', async () => {
    await server.publish('1.1.0');
    const source = { feed: server.url, key: makeKeys().publicKey };
    expectUntouched(await check({ source }), 'update_signature_wrong');
  });
});

describe('the file of the app', () => {
  it('is not replaced by an older version if somebody installed a newer one meanwhile', async () => {
    await server.publish('1.1.0');
    const { updates } = await check();
    writeFileSync(`${app}-new`, 'version 1.2.0\n', { mode: 0o755 });
    renameSync(`${app}-new`, app);
    updates.applyNow();
    expect(appText()).toBe('version 1.2.0\n');
    expect(readdirSync(join(place, 'apps'))).toEqual(['Deepdesk.AppImage']);
    const { updates: next } = open();
    await next.schedule();
    expect(next.view.state).toEqual(failed('update_app_moved'));
  });

  it('is replaced once if two apps have the same version ready, and neither complains', async () => {
    const contents = await server.publish('1.1.0');
    const first = await check();
    const second = await check({ folder: join(place, 'downloads-2') });
    first.updates.applyNow();
    second.updates.applyNow();
    expect(readFileSync(app).equals(contents)).toBe(true);
    expect([...first.reports, ...second.reports]).toEqual([]);
  });

  it('is staged beside what another app stages, and only leftovers of killed ones are removed', async () => {
    await server.publish('1.1.0');
    const { updates } = await check();
    const staged = (pid: number | string) => join(place, 'apps', `.Deepdesk.AppImage.deepdesk-update-${pid}`);
    // The parent of this process runs; no process has an id that large.
    writeFileSync(staged(process.ppid), 'of another app');
    writeFileSync(staged(2 ** 30), 'of a killed app');
    updates.applyNow();
    expect(appText()).toContain('version 1.1.0');
    expect(existsSync(staged(process.ppid))).toBe(true);
    expect(readdirSync(join(place, 'apps'))).toHaveLength(2);
  });
});

it('does not start an installer that changed after the download', async () => {
  await server.publish('1.1.0');
  const { updates, reports, state } = await check({ appImage: null });
  expect(state.phase).toBe('ready');
  writeFileSync(join(place, 'downloads', 'pending', packageOf('1.1.0')), 'changed');
  updates.applyNow();
  expect(reports).toEqual([expect.objectContaining({ reason: { code: 'update_wrong_contents' } })]);
});

const whyNoDisk =
  process.platform === 'linux' && process.getuid?.() === 0 ? null : 'only root can mount a small disk';

describe.skipIf(whyNoDisk !== null)(
  `a disk that is full${whyNoDisk === null ? '' : ` (skipped: ${whyNoDisk})`}`,
  () => {
    async function smallDisk(folder: string, bytes: number): Promise<void> {
      mkdirSync(folder, { recursive: true });
      const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'tmpfs', folder]);
      expect(mounted.code, mounted.output).toBe(0);
      cleanups.push(() => run('umount', ['--lazy', folder]));
    }

    it('during the download leaves nothing, and the next check works', async () => {
      await smallDisk(join(place, 'downloads'), 100_000);
      await server.publish('1.1.0');
      const { updates, state } = await check();
      expectUntouched({ updates, state }, 'update_disk_full');
      expect(downloads().filter((name) => !['pending'].includes(String(name)))).toEqual([]);
    });

    it('while the file is replaced leaves the old version, and the next start says so', async () => {
      await smallDisk(join(place, 'apps'), 100_000);
      writeFileSync(app, OLD, { mode: 0o755 });
      await server.publish('1.1.0');
      const { updates } = await check();
      updates.applyNow();
      expect(appText()).toBe(OLD);
      expect(readdirSync(join(place, 'apps'))).toEqual(['Deepdesk.AppImage']);
      const { updates: next } = open();
      await next.schedule();
      expect(next.view.state).toEqual(failed('update_disk_full'));
    });
  },
);
