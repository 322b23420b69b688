// Reads zip archives: just enough for one big archive with stored and deflated entries (no zip64, no encryption).
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/**
 * @typedef {object} Entry
 * @property {string} name with `/` between folders; a folder's ends in one
 * @property {number} mode permission bits, 0 if the archive has none
 * @property {number} size bytes when unpacked
 * @property {number} packed bytes in the archive
 * @property {number} method
 * @property {number} at offset of the entry's local header
 */

/** @param {import('node:fs/promises').FileHandle} file @param {number} at @param {number} length */
async function read(file, at, length) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead !== length) throw new Error('the archive ends too early');
  return buffer;
}

/** @param {import('node:fs/promises').FileHandle} file @returns {Promise<Entry[]>} */
async function entries(file) {
  const { size } = await file.stat();
  // The end record is 22 bytes and a comment of up to 65,535.
  const tailLength = Math.min(size, 22 + 65_535);
  const tail = await read(file, size - tailLength, tailLength);
  let end = tail.length - 22;
  while (end >= 0 && tail.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw new Error('not a zip archive');

  const count = tail.readUInt16LE(end + 10);
  const directory = await read(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const found = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (directory.readUInt32LE(at) !== CENTRAL) throw new Error('the archive has a broken directory');
    const nameLength = directory.readUInt16LE(at + 28);
    found.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameLength),
      mode: (directory.readUInt32LE(at + 38) >>> 16) & 0o777,
      size: directory.readUInt32LE(at + 24),
      packed: directory.readUInt32LE(at + 20),
      method: directory.readUInt16LE(at + 10),
      at: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return found;
}

/**
 * Unpacks the files for which `rename` returns a new path; undefined leaves a file out.
 * @param {string} archive
 * @param {string} into
 * @param {(name: string) => string | undefined} rename path below `into`, with `/` between folders
 * @returns {Promise<number>} files written
 */
export async function unzip(archive, into, rename) {
  const file = await open(archive);
  try {
    let written = 0;
    for (const entry of await entries(file)) {
      const name = entry.name.endsWith('/') ? undefined : rename(entry.name);
      if (name === undefined) continue;
      if (name.startsWith('/') || name.split('/').includes('..'))
        throw new Error(`unsafe name in the archive: ${name}`);
      if (entry.method !== STORED && entry.method !== DEFLATED)
        throw new Error(`unknown packing of ${entry.name}`);
      const target = join(into, name);
      await mkdir(dirname(target), { recursive: true });

      const header = await read(file, entry.at, 30);
      const from = entry.at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
      const out = createWriteStream(target, { mode: entry.mode || 0o644 });
      if (entry.packed > 0) {
        const packed = createReadStream(archive, { start: from, end: from + entry.packed - 1 });
        await (entry.method === DEFLATED ? pipeline(packed, createInflateRaw(), out) : pipeline(packed, out));
      } else {
        out.end();
        await finished(out);
      }
      if (out.bytesWritten !== entry.size)
        throw new Error(`${entry.name} is ${out.bytesWritten} bytes, not ${entry.size}`);
      written += 1;
    }
    return written;
  } finally {
    await file.close();
  }
}
