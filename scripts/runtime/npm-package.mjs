// Fetches files from an npm package that is not a dependency, and uses them only if they match the pinned version.
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from '../process.mjs';
import { percent } from './progress.mjs';

/**
 * @typedef {object} Pinned
 * @property {string} name
 * @property {string} version
 * @property {number} bytes of the tarball
 * @property {string} sha512 of the tarball, in base64: the part after `sha512-` of its integrity
 */

/** Milliseconds. Packages are up to 200 MB, so anything slower than a third of a MB per second is given up. */
const FETCH_WITHIN = 600_000;
/** Milliseconds between progress checks. */
const LOOK_AGAIN = 500;

/** Bytes of all readable files below a folder. @param {string} folder @returns {number} */
function sizeBelow(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name);
      return sum + (entry.isDirectory() ? sizeBelow(path) : statSync(path).size);
    }, 0);
  } catch {
    // It is still empty, or a file was just renamed.
    return 0;
  }
}

/**
 * Fetches a package and unpacks some of its files to `folder`/package/…; throws if the registry returns anything but the
 * pinned tarball.
 * @param {Pinned} pinned
 * @param {string} folder empty
 * @param {string[]} files as named in the tarball, from `package/` on; a folder includes everything below it
 */
export async function unpackPinned({ name, version, bytes, sha512 }, folder, files) {
  const spec = `${name}@${version}`;
  // A separate cache: npm's would keep the tarball forever, and may not be writable.
  const cache = join(folder, 'npm');
  const args = ['pack', spec, '--pack-destination', folder, '--cache', cache, '--silent'];
  const told = percent('runtime', spec, bytes);
  // npm reports no progress, but its cache grows during the download.
  const timer = setInterval(() => told(sizeBelow(cache)), LOOK_AGAIN);
  const packed = await run('npm', args, { cwd: folder, timeout: FETCH_WITHIN });
  clearInterval(timer);
  const file = readdirSync(folder).find((entry) => entry.endsWith('.tgz'));
  if (packed.code !== 0 || !file) throw new Error(`npm could not fetch ${spec}: ${packed.output.trim()}`);

  const tarball = join(folder, file);
  const hash = createHash('sha512');
  await pipeline(createReadStream(tarball), hash);
  const found = hash.digest('base64');
  if (found !== sha512)
    throw new Error(`${spec} has the checksum ${found}, not the pinned one; it is not used`);

  const untarred = await run('tar', ['xzf', tarball, ...files], { cwd: folder });
  if (untarred.code !== 0) throw new Error(`tar could not unpack ${spec}: ${untarred.output.trim()}`);
  rmSync(tarball);
  rmSync(cache, { recursive: true, force: true });
}
