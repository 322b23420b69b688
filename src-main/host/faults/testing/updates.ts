import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  ARCH,
  packageOf,
  startUpdateServer,
  type UpdateServer,
} from '../../../updates/testing/update-server';
import type { UpdatesOptions } from '../../../updates/updates';
import { type FaultOptions, Tally } from './tally';

const OLD = Buffer.from('version 1.0.0\n');
/** Bytes of the new version. */
const SIZE = 30_000_000;
/** Milliseconds within which the process is killed: after the first byte of the package, or after the download. */
const WITHIN = { download: 60, install: 50 };

/** Kills a process that updates an AppImage, during the download and while the file is replaced, in turn. */
export async function killedUpdates({ bundle, place, times, random }: FaultOptions): Promise<Tally> {
  const tally = new Tally();
  const server = await startUpdateServer();
  try {
    const fresh = await server.publish('1.1.0', { size: SIZE });
    for (let round = 1; round <= times; round += 1) {
      const phase = round % 2 === 0 ? 'download' : 'install';
      const delay = random() * WITHIN[phase];
      await tally.provoke('files', async () => {
        const folder = join(place, `${round}`);
        const app = join(folder, 'apps', 'Deepdesk.AppImage');
        mkdirSync(join(folder, 'apps'), { recursive: true });
        writeFileSync(app, OLD, { mode: 0o755 });
        const child = startUpdate(bundle, optionsFor(server, folder, app));
        await killAfter(child, server, phase, delay);
        const left = readFileSync(app);
        expect(left.equals(OLD) || left.equals(fresh), 'the app is the old or the new one').toBe(true);
        await tally.recover(async () => {
          const next = startUpdate(bundle, optionsFor(server, folder, app));
          let printed = '';
          next.stderr.setEncoding('utf8').on('data', (text: string) => {
            printed += text;
          });
          const [code] = (await once(next, 'close')) as [number];
          expect(code, printed).toBe(0);
        });
        expect(readFileSync(app).equals(fresh), 'the next update works').toBe(true);
        expect(readdirSync(join(folder, 'apps'))).toEqual(['Deepdesk.AppImage']);
        rmSync(folder, { recursive: true });
      });
    }
  } finally {
    await server.close();
  }
  return tally;
}

const optionsFor = (server: UpdateServer, folder: string, app: string): UpdatesOptions => ({
  way: 'self',
  source: { feed: server.url, key: server.keys.publicKey },
  version: '1.0.0',
  platform: 'linux',
  arch: ARCH,
  folder: join(folder, 'downloads'),
  appImage: app,
  configFile: '',
});

const startUpdate = (bundle: string, options: UpdatesOptions) =>
  spawn(process.execPath, [join(bundle, 'updating.js'), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });

async function killAfter(
  child: ReturnType<typeof startUpdate>,
  server: UpdateServer,
  phase: keyof typeof WITHIN,
  delay: number,
): Promise<void> {
  const exited = once(child, 'exit');
  const begun =
    phase === 'install'
      ? once(child.stdout, 'data')
      : new Promise<void>((resolve) => {
          server.answers.set(packageOf('1.1.0'), (_, response, body) => {
            response.writeHead(200, { 'content-length': body?.byteLength ?? 0 }).end(body);
            resolve();
          });
        });
  await Promise.race([begun, exited]);
  const timer = setTimeout(() => child.kill('SIGKILL'), delay);
  await exited;
  clearTimeout(timer);
  server.answers.clear();
}
