import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readFile, realpath, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isBelow } from '../../../../base/is-below';
import { optional } from '../../../../contract/shared/optional';
import type { SandboxFound } from '../../detect';
import { statAt } from '../layer/entry';
import { makeLayer, namesIn, PARTS, removeLayer } from '../layer/layer';
import type { Availability, UnavailableReason } from '../layer/shapes';
import { FAILURES, findMountTools, type MountTools, withLayer } from './helper';
import { identityOf } from './mounted';
import { whatIsLost } from './what-is-lost';

/** `statfs` types of Linux. Servers or other machines change their files without the kernel's knowledge. */
const NETWORK = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x01021997, 0x00c36400, 0x6b414653,
]);
/** Its server may change files without the kernel's knowledge. */
const FUSE = 0x65735546;
/** ext2 to ext4, XFS, Btrfs, tmpfs, F2FS, ZFS and bcachefs keep everything: nothing is written into their folders to try it. */
const KEEPS = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0xca451a4e]);
const OVERLAY = 0x794c7630;
/** Milliseconds for the trial. */
const TRIAL_WITHIN = 10_000;
/** Names tried with a different case. */
const NAMES_TRIED = 50;

const known = new Map<string, Promise<Availability>>();

/**
 * Tries whether a folder's commands can be rehearsed, and caches the result while the app runs. `found`: this machine's
 * sandbox from `detectSandbox`.
 */
export async function canRehearse(
  folder: string,
  layersFolder: string,
  found: SandboxFound,
): Promise<Availability> {
  if (process.platform !== 'linux') return no('platform');
  if (found.kind !== 'bubblewrap') return no('no_sandbox');
  try {
    const real = await realpath(folder);
    const layers = await realFolder(layersFolder);
    if (isBelow(layers, real) || isBelow(real, layers)) return no('contains_data_folder');
    // A mount can appear at any time.
    const mount = await mountBelow(real);
    if (mount !== null) return no('mounts_below', mount);
    const key = `${await identityOf(real)} ${real} ${layers} ${found.program}`;
    const before = known.get(key) ?? tryFolder(real, layers, found.program);
    known.set(key, before);
    return await before;
  } catch (error) {
    return no('failed', error instanceof Error ? error.message : String(error));
  }
}

const no = (reason: UnavailableReason, detail?: string): Availability => ({
  available: false,
  reason,
  ...optional({ detail }),
});

async function realFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  return realpath(path);
}

async function mountBelow(folder: string): Promise<string | null> {
  const text = await readFile('/proc/self/mountinfo', 'utf8');
  for (const line of text.split('\n')) {
    const path = (line.split(' ')[4] ?? '').replaceAll(/\\(\d{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const named = Buffer.from(path, 'latin1').toString('utf8');
    if (named !== folder && named !== '' && isBelow(named, folder)) return named;
  }
  return null;
}

async function tryFolder(folder: string, layers: string, program: string): Promise<Availability> {
  const [own, beside] = await Promise.all([statfs(folder), statfs(layers)]);
  if (NETWORK.has(own.type)) return no('network_file_system');
  const lost = KEEPS.has(own.type) ? null : await whatIsLost(folder);
  if (lost !== null) return no(lost);
  if (own.type === FUSE) return no('file_system');
  if (beside.type === OVERLAY) return no('data_folder_on_overlay');
  if (await foldsCase(folder)) return no('case_folding');
  const tools = findMountTools();
  if (tools === null) return no('failed', 'util-linux is not installed.');
  const said = await trial(folder, layers, tools, program);
  if (said === null) return { available: true };
  if (said.startsWith(FAILURES.overlay)) {
    const empty = await makeLayer(layers, `trial-${randomUUID()}`, layers);
    try {
      const reason = (await trial(join(empty, PARTS.merged), layers, tools, program)) === null;
      return no(reason ? 'file_system' : 'no_overlay', said);
    } finally {
      await removeLayer(empty);
    }
  }
  return no(/unshare/.test(said) ? 'no_user_namespaces' : 'failed', said);
}

/** Whether the file system is case-insensitive. */
async function foldsCase(folder: string): Promise<boolean> {
  const names = (await namesIn(folder)).slice(0, NAMES_TRIED).map((name) => [folder, name] as const);
  for (const [above, name] of [...names, [dirname(folder), basename(folder)] as const]) {
    const other = swapCase(name);
    if (other === name) continue;
    const [one, two] = await Promise.all([statAt(join(above, name)), statAt(join(above, other))]);
    if (one !== null && two !== null && one.ino === two.ino && one.nlink === two.nlink && one.nlink === 1n)
      return true;
  }
  return false;
}

const swapCase = (name: string): string =>
  name.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

/** Mounts a layer over the folder and writes to it inside bubblewrap. Null if that works; else the system's message. */
async function trial(
  folder: string,
  layers: string,
  tools: MountTools,
  program: string,
): Promise<string | null> {
  const place = await makeLayer(layers, `trial-${randomUUID()}`, folder);
  try {
    const name = `.deepdesk-trial-${randomUUID()}`;
    const inside = `cd /run/f && mkdir ${name} && echo x > ${name}/a && mv ${name}/a ${name}/b && rm -r ${name}/b`;
    const identity = await identityOf(folder);
    const own = [
      '--unshare-all',
      '--unshare-user',
      '--die-with-parent',
      '--ro-bind',
      '/',
      '/',
      '--tmpfs',
      '/run',
    ];
    const args = [...own, '--bind', join(place, PARTS.merged), '/run/f', '--', '/bin/sh', '-c', inside];
    const layered = withLayer({ tools, place, folder, identity, caches: [] }, { file: program, args });
    const failed = await ranWell(layered);
    if (failed !== null) return failed;
    const isThere = await access(join(place, PARTS.upper, name), constants.F_OK).then(
      () => true,
      () => false,
    );
    return isThere ? null : 'What was written did not reach the layer.';
  } finally {
    await removeLayer(place);
  }
}

const ranWell = ({ file, args }: { file: string; args: string[] }): Promise<string | null> =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: TRIAL_WITHIN, env: {} }, (error, _stdout, stderr) => {
      if (error === null) return resolve(null);
      const lines = stderr.trim().split('\n');
      const own = lines.find((line) => line.startsWith('deepdesk-layer:'));
      resolve(own === undefined ? lines[0] || error.message : `${own}: ${lines[0]}`);
    });
  });
