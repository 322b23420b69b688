// SHA256SUMS of a folder of packages, in the form that `sha256sum --check` reads.
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const NAME = 'SHA256SUMS';

/** @param {string} folder @returns {Promise<string>} the file with the checksums */
export async function writeChecksums(folder) {
  const lines = [];
  for (const name of readdirSync(folder).sort()) {
    if (name === NAME) continue;
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    lines.push(`${hash.digest('hex')}  ${name}\n`);
  }
  const file = join(folder, NAME);
  writeFileSync(file, lines.join(''));
  return file;
}
