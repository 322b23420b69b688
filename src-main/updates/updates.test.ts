import { chmodSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { makeKeys } from '../../scripts/installers/feed.mjs';
import { cleanups } from '../base/testing/cleanups';
import {
  app,
  appText,
  check,
  downloads,
  expectUntouched,
  failed,
  install,
  memory,
  OLD,
  open,
  place,
  server,
} from './testing/installed-app';
import { packageOf, startUpdateServer } from './testing/update-server';

beforeEach(install);

describe('a good update', () => {
  it('is downloaded, and replaces the AppImage when the app quits', async () => {
    const contents = await server.publish('1.1.0', { notes: '<b>Faster</b>' });
    const { updates, views, state, reports } = await check();
    expect(state).toEqual({ phase: 'ready', version: '1.1.0', notes: '<b>Faster</b>', restarts: true });
    expect(appText()).toBe(OLD);
    updates.applyNow();
    expect(readFileSync(app).equals(contents)).toBe(true);
    expect(statSync(app).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(place, 'apps'))).toEqual(['Deepdesk.AppImage']);
    expect(
      views.map(({ state: { phase } }) => phase).filter((phase, at, all) => phase !== all[at - 1]),
    ).toEqual(['checking', 'downloading', 'ready']);
    expect(reports).toEqual([]);
  });

  it('is requested without telling anything about the person or the computer', async () => {
    await server.publish('1.1.0');
    await check();
    expect(server.requests.map(({ path }) => path)).toEqual([
      'updates.json',
      'updates.json.sig',
      packageOf('1.1.0'),
    ]);
    for (const { headers } of server.requests) {
      const { host: _, connection: __, ...rest } = headers;
      expect(rest).toEqual({
        'user-agent': 'Deepdesk',
        accept: '*/*',
        'accept-language': '*',
        'accept-encoding': expect.any(String),
        'sec-fetch-mode': 'cors',
      });
    }
  });

  it('follows a link to the app, and keeps the link', async () => {
    const contents = await server.publish('1.1.0');
    const link = join(place, 'link');
    symlinkSync(app, link);
    vi.stubEnv('APPIMAGE', link);
    const { updates } = await check({ appImage: link });
    updates.applyNow();
    expect(readFileSync(app).equals(contents)).toBe(true);
    expect(readdirSync(place).sort()).toEqual(['apps', 'downloads', 'link']);
  });

  it('is not downloaded again after a restart, unless the file on the disk was changed', async () => {
    await server.publish('1.1.0');
    await check();
    server.requests.length = 0;
    expect((await check()).state.phase).toBe('ready');
    expect(server.requests.map(({ path }) => path)).toEqual(['updates.json', 'updates.json.sig']);
    writeFileSync(join(place, 'downloads', 'pending', packageOf('1.1.0')), 'changed');
    const { updates } = await check();
    expect(server.requests.at(-1)?.path).toBe(packageOf('1.1.0'));
    updates.applyNow();
    expect(appText()).toContain('version 1.1.0');
  });

  it('is not applied if the downloaded file changes before the app quits', async () => {
    await server.publish('1.1.0');
    const { updates, reports } = await check();
    writeFileSync(join(place, 'downloads', 'pending', packageOf('1.1.0')), 'changed');
    updates.applyNow();
    expect(appText()).toBe(OLD);
    expect(readdirSync(join(place, 'apps'))).toEqual(['Deepdesk.AppImage']);
    expect(reports).toEqual([expect.objectContaining({ reason: { code: 'update_wrong_contents' } })]);
    const { updates: next } = open();
    await next.schedule();
    expect(next.view.state).toEqual(failed('update_wrong_contents'));
    const { updates: later } = open();
    await later.schedule();
    expect(later.view.state).toEqual({ phase: 'idle' });
  });

  it('leaves nothing in the folder for downloads once it runs', async () => {
    await server.publish('1.1.0');
    const { updates } = await check();
    updates.applyNow();
    writeFileSync(join(place, 'apps', `.Deepdesk.AppImage.deepdesk-update-${2 ** 30}`), 'half');
    const { state } = await check({ version: '1.1.0' });
    expect(state).toEqual({ phase: 'current', checkedAt: expect.any(Number) });
    expect(downloads()).toEqual([]);
    expect(readdirSync(join(place, 'apps'))).toEqual(['Deepdesk.AppImage']);
  });
});

describe('a feed is refused', () => {
  it.each<[string, string, () => void]>([
    [
      'whose bytes were changed',
      'update_signature_wrong',
      () => {
        const file = join(server.folder, 'updates.json');
        writeFileSync(file, readFileSync(file, 'utf8').replace('1.1.0', '1.1.1'));
      },
    ],
    [
      'without a signature',
      'update_signature_missing',
      () => rmSync(join(server.folder, 'updates.json.sig')),
    ],
    [
      'with an empty signature',
      'update_signature_wrong',
      () => writeFileSync(join(server.folder, 'updates.json.sig'), ''),
    ],
    ['that is not there', 'update_no_feed', () => rmSync(join(server.folder, 'updates.json'))],
    [
      'that is huge',
      'update_feed_form',
      () => writeFileSync(join(server.folder, 'updates.json'), 'x'.repeat(200_000)),
    ],
    [
      'that names a file in another folder',
      'update_feed_form',
      () =>
        server.resign((feed) => {
          Object.assign((feed.files as { name: string }[])[0] ?? {}, { name: '../../evil.AppImage' });
        }),
    ],
    [
      'whose package is too large for any disk',
      'update_feed_form',
      () =>
        server.resign((feed) => {
          Object.assign((feed.files as { size: number }[])[0] ?? {}, { size: 10 ** 12 });
        }),
    ],
    [
      'that is for other systems',
      'update_not_for_system',
      () =>
        server.resign((feed) => {
          Object.assign((feed.files as { platform: string }[])[0] ?? {}, { platform: 'win32' });
        }),
    ],
    [
      'that an answer with an error brings',
      'update_answer',
      () => server.answers.set('updates.json', (_, response) => response.writeHead(503).end('down')),
    ],
    [
      'that a redirect to another server brings',
      'update_redirected',
      () =>
        server.answers.set('updates.json', (_, response) =>
          response.writeHead(302, { location: 'http://127.0.0.1:9/updates.json' }).end(),
        ),
    ],
  ])('%s', async (_name, code, change) => {
    await server.publish('1.1.0');
    change();
    expectUntouched(await check(), code);
    expect(server.requests.some(({ path }) => path.endsWith('.AppImage'))).toBe(false);
  });

  it('that another key signed', async () => {
    await server.publish('1.1.0');
    const source = { feed: server.url, key: makeKeys().publicKey };
    expectUntouched(await check({ source }), 'update_signature_wrong');
  });

  it.each(['', 'no key', Buffer.alloc(44).toString('base64')])('if the key of the app is %j', async (key) => {
    await server.publish('1.1.0');
    expectUntouched(await check({ source: { feed: server.url, key } }), 'update_signature_wrong');
  });

  it('that has expired, or is from the future', async () => {
    const day = 86_400_000;
    await server.publish('1.1.0', { now: Date.now() - 10 * day, days: 9 });
    expectUntouched(await check(), 'update_feed_expired');
    await server.publish('1.1.0', { now: Date.now() + 10 * day });
    expectUntouched(await check(), 'update_feed_expired');
  });

  it('that is older than one seen before, even if its version is new here', async () => {
    const seen = memory();
    await server.publish('1.2.0', { now: Date.now() });
    await check({ version: '1.2.0' }, { seen });
    await server.publish('1.1.0', { now: Date.now() - 60_000 });
    expectUntouched(await check({}, { seen }), 'update_feed_replayed');
  });

  it.each(['1.0.0', '0.9.9', '0.10.0'])('as an update if its version is %s', async (version) => {
    await server.publish(version);
    const { updates, state } = await check();
    expect(state.phase).toBe('current');
    updates.applyNow();
    expect(appText()).toBe(OLD);
  });
});

describe('a package is refused', () => {
  it.each<[string, string, (body: Buffer) => Buffer]>([
    [
      'with a changed byte',
      'update_wrong_contents',
      (body) => Buffer.from(body.map((byte, at) => (at === 9 ? byte ^ 1 : byte))),
    ],
    ['that ends early', 'update_wrong_size', (body) => body.subarray(0, 1_000)],
    ['that is too long', 'update_wrong_size', (body) => Buffer.concat([body, Buffer.alloc(1)])],
  ])('%s', async (_name, code, change) => {
    await server.publish('1.1.0');
    const file = join(server.folder, packageOf('1.1.0'));
    writeFileSync(file, change(readFileSync(file)));
    expectUntouched(await check(), code);
  });

  it('whose connection breaks', async () => {
    await server.publish('1.1.0');
    server.answers.set(packageOf('1.1.0'), (_, response, body) => {
      response.writeHead(200, { 'content-length': body?.byteLength ?? 0 });
      response.write(body?.subarray(0, 10_000), () => response.destroy());
    });
    expectUntouched(await check(), 'update_unreachable');
  });

  it('that never ends, after as many bytes as the feed says', async () => {
    await server.publish('1.1.0', { size: 1_000 });
    server.answers.set(packageOf('1.1.0'), (_, response) => {
      response.writeHead(200);
      const more = () => {
        if (!response.destroyed) response.write(Buffer.alloc(16_000), () => setImmediate(more));
      };
      more();
    });
    expectUntouched(await check(), 'update_wrong_size');
  });

  it('from a server that falls silent', async () => {
    await server.publish('1.1.0');
    server.answers.set(packageOf('1.1.0'), (_, response, body) => {
      response.writeHead(200, { 'content-length': body?.byteLength ?? 0 });
      response.write(body?.subarray(0, 10_000));
    });
    expectUntouched(await check({ patience: { silence: 300 } }), 'update_too_slow');
  });

  it('from another server', async () => {
    await server.publish('1.1.0');
    const other = await startUpdateServer();
    cleanups.push(() => other.close());
    server.answers.set(packageOf('1.1.0'), (_, response) =>
      response.writeHead(302, { location: `${other.url}${packageOf('1.1.0')}` }).end(),
    );
    expectUntouched(await check(), 'update_redirected');
    expect(other.requests).toEqual([]);
  });
});

const mayWriteAll = process.getuid?.() === 0 ? ' (skipped: root may write everywhere)' : '';

describe('without a way to update', () => {
  it('says that there is no network', async () => {
    const closed = await startUpdateServer();
    await closed.close();
    const { state, updates } = await check({ source: { feed: closed.url, key: server.keys.publicKey } });
    expectUntouched({ state, updates }, 'update_unreachable');
  });

  it.skipIf(mayWriteAll !== '')(
    `says that the folder of the app is read-only, before it downloads${mayWriteAll}`,
    async () => {
      await server.publish('1.1.0');
      chmodSync(join(place, 'apps'), 0o555);
      cleanups.push(() => chmodSync(join(place, 'apps'), 0o755));
      expect((await check()).state).toEqual(failed('update_folder_read_only'));
      expect(server.requests.length).toBe(2);
    },
  );

  it('says that the app was moved', async () => {
    await server.publish('1.1.0');
    rmSync(app);
    expect((await check()).state).toEqual(failed('update_app_moved'));
  });

  it('asks nobody while the switch is off, and without a source', async () => {
    await server.publish('1.1.0');
    expect((await check({}, { isOn: false })).state).toEqual({ phase: 'idle' });
    expect((await check({ source: null })).state).toEqual({ phase: 'idle' });
    expect(server.requests).toEqual([]);
  });

  it('discards what is ready when the switch is turned off', async () => {
    await server.publish('1.1.0');
    const { updates } = await check();
    updates.switched(false);
    expect(updates.view.state).toEqual({ phase: 'idle' });
    updates.applyNow();
    expect(appText()).toBe(OLD);
  });
});

describe('a download', () => {
  /** A server that sends the first half and then waits. */
  async function halfway() {
    await server.publish('1.1.0');
    server.answers.set(packageOf('1.1.0'), (_, response, body) => {
      response.writeHead(200, { 'content-length': body?.byteLength ?? 0 });
      response.write(body?.subarray(0, (body?.byteLength ?? 0) / 2));
    });
    const opened = open();
    opened.updates.check();
    await vi.waitFor(() => {
      const { state } = opened.updates.view;
      expect(state.phase === 'downloading' && state.percent).toBeGreaterThan(40);
    }, 20_000);
    return opened;
  }

  it('is stopped by the person, and starts again on request', async () => {
    const { updates, reports } = await halfway();
    await updates.cancel();
    expect(updates.view.state).toEqual({ phase: 'idle' });
    expect(reports).toEqual([]);
    server.answers.clear();
    updates.check();
    await updates.settled();
    expect(updates.view.state.phase).toBe('ready');
  });

  it('is stopped by the switch and by quitting, and nothing is applied', async () => {
    const { updates } = await halfway();
    updates.switched(false);
    await updates.settled();
    expect(updates.view.state).toEqual({ phase: 'idle' });
    const { updates: quitting } = await halfway();
    await quitting.close();
    quitting.applyNow();
    expect(appText()).toBe(OLD);
  });
});
