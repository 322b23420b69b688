// The size of the packaged app beyond its Electron, by part.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../scripts/build/app.mjs';
import { archiveParts, packageApp, sizeOf, unusedLanguages } from '../scripts/package/app.mjs';
import { prepareMachine } from '../scripts/runtime/prepare.mjs';
import type { Row } from './row';
import { withFolder } from './temporary';

const MEGABYTE = 1_000_000;

const row = (name: string, bytes: number, target: Row['target'] = {}): Row => ({
  row: name,
  unit: 'MB',
  ours: bytes / MEGABYTE,
  target,
});

export default async function measure(): Promise<Row[]> {
  if (process.platform !== 'linux') return [];
  const { electron, env } = await prepareMachine();
  if (!(await ensureBuilt())) throw new Error('the app could not be built');
  return await withFolder(async (folder) => {
    const made = await packageApp({
      dist: electron.dist,
      binding: env.DEEPDESK_SQLITE_BINDING,
      into: folder,
    });
    const unused = unusedLanguages(electron.dist).reduce((sum, file) => sum + sizeOf(file), 0);
    const bare = sizeOf(electron.dist) - unused;
    const resources = join(made, 'resources');
    const archive = join(resources, 'app.asar');
    const beside = readdirSync(resources)
      .filter((name) => name !== 'app.asar')
      .map((name) => ({ name: `resources/${name}`, bytes: sizeOf(join(resources, name)) }));
    const parts = [...archiveParts(archive), ...beside]
      .filter(({ bytes }) => bytes > MEGABYTE / 20)
      .sort((a, b) => b.bytes - a.bytes);
    return [
      row('packaged app above bare Electron', sizeOf(made) - bare, { atMost: 40 }),
      row('the languages of Chromium that are left out', unused),
      row('the archive', statSync(archive).size),
      ...parts.map(({ name, bytes }) => row(`of it ${name}`, bytes)),
    ];
  });
}
