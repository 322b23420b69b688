// SHA256SUMS of a folder of packages, in the form that `sha256sum --check` reads.
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const NAME = 'SHA256SUMS';

/** @param {string} file @returns {Promise<string>} in hexadecimal */
export async function sha256Of(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @param {string} folder @returns {Promise<string>} the file with the checksums */
export async function writeChecksums(folder) {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== NAME)
    .map((entry) => entry.name);
  const lines = [];
  for (const name of names.sort()) lines.push(`${await sha256Of(join(folder, name))}  ${name}\n`);
  const file = join(folder, NAME);
  writeFileSync(file, lines.join(''));
  return file;
}
