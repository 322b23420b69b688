import { spawn } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { isBelow } from '../../../../base/is-below';
import { systemPath } from '../../../../base/path-names';
import { type LayerPlaces, waysInHome } from '../../bubblewrap';
import type { LayerView } from '../../index';
import { statAt } from '../layer/entry';
import { HOME, PARTS, SHARED } from '../layer/layer';
import { layerCaches } from './caches';
import { lookingAt, type MountedLayer, type MountTools } from './helper';

/** Names below the home folder where programs expect to write. */
const XDG = ['.cache', '.config', '.local/share', '.local/state'];
/** A folder that can be traversed and written but not listed: hidden entries would seem missing. */
const UNLISTED = 0o333;

/** The folder's device and inode, for the time of one command; throws if it is not a folder. */
export async function identityOf(folder: string): Promise<string> {
  const stats = await statAt(folder);
  if (stats?.isDirectory() !== true) throw new Error(`'${folder}' is no folder.`);
  return `${stats.dev}:${stats.ino}`;
}

/** Fills a layer's home folder and returns the other places. */
export async function placesOf(place: string, { home, hidden, ...view }: LayerView): Promise<LayerPlaces> {
  const own = join(place, HOME);
  const [caches] = await Promise.all([
    home === null ? [] : layerCaches(place, home, view.folder, hidden),
    home === null || isBelow(home, view.folder) ? null : fillHome(own, home, view),
  ]);
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return {
    merged: join(place, PARTS.merged),
    home: own,
    shared: join(place, SHARED),
    caches,
    ...(uid === 0 ? {} : { user: { uid, gid } }),
  };
}

/** Creates the folders that programs write to, and those that lead to visible places. */
async function fillHome(own: string, home: string, view: Omit<LayerView, 'home' | 'hidden'>): Promise<void> {
  const written = XDG.map((name) => join(own, name));
  const ways = waysInHome(view, home).map((path) => join(own, relative(home, path)));
  await Promise.all([...written, ...ways].map((path) => mkdir(path, { recursive: true })));
  const unlisted = [own, ...ways.filter((way) => !written.includes(way))];
  await Promise.all(unlisted.map((path) => chmod(path, UNLISTED)));
}

/** Which paths of the folder exist with the layer on top, checked through a mount that nobody writes to. */
export async function stillThere(
  tools: MountTools,
  layer: Omit<MountedLayer, 'caches' | 'tools'>,
  paths: readonly string[],
): Promise<boolean[]> {
  const { file, args } = lookingAt({ tools, ...layer });
  const child = spawn(file, args, { env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('close', resolve).once('error', reject),
  );
  child.stdin.on('error', () => undefined);
  child.stdin.end(Buffer.concat(paths.flatMap((path) => [Buffer.from(systemPath(path)), Buffer.of(0)])));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const lines = out.split('\n').slice(0, -1);
  if (code !== 0 || lines.length !== paths.length)
    throw new Error(`The layer could not be read: ${err.trim()}`);
  return lines.map((line) => line === '1');
}
