import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { readRegular, readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';

/** Bytes of an index beyond which it is not read. */
const MAX_INDEX = 16 * 1024 * 1024;
/** Bytes of a `.git` file, which says where the repository is. */
const MAX_LINK = 4_096;

/** What git has of a file: its size and time when it was added. */
interface Entry {
  size: number;
  /** Seconds since 1970. */
  modified: number;
}

export interface GitFiles {
  /** Whether git has the file as it is now, by size and time as git itself takes it. */
  has(path: string, now: { size: number; mtimeMs: number }): boolean;
}

/**
 * What git knows of the files around `folder`, read from its index: running git itself would run what the folder's
 * configuration names. `unknown` where its index is too large, or not understood; null where there is
 * no repository.
 */
export async function readGitIndex(folder: string): Promise<GitFiles | 'unknown' | null> {
  for (let root = folder; ; root = dirname(root)) {
    const git = join(root, '.git');
    const found = await stat(git).catch(() => null);
    if (found?.isDirectory() === true) return open(root, join(git, 'index'));
    if (found?.isFile() === true && found.size < MAX_LINK) {
      const read = await readRegularText(git, { root, maxBytes: MAX_LINK });
      const linked = isRefused(read) ? undefined : /^gitdir: (.+)/.exec(read.text)?.[1]?.trim();
      return linked === undefined ? 'unknown' : open(root, join(resolve(root, linked), 'index'));
    }
    if (dirname(root) === root) return null;
  }
}

async function open(root: string, index: string): Promise<GitFiles | 'unknown'> {
  const bytes = await readRegular(index, { root: dirname(index), maxBytes: MAX_INDEX });
  if (isRefused(bytes)) return bytes.refused === 'missing' ? { has: () => false } : 'unknown';
  const entries = parseIndex(bytes);
  if (entries === null) return 'unknown';
  return {
    has: (path, { size, mtimeMs }) => {
      const entry = entries.get(relative(root, path));
      return (
        entry !== undefined && entry.size === size % 2 ** 32 && entry.modified === Math.floor(mtimeMs / 1_000)
      );
    },
  };
}

const FIXED = 62;

/** The entries of an index of version 2, 3 or 4; null for anything else. */
function parseIndex(data: Buffer): Map<string, Entry> | null {
  if (data.length < 12 || data.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = data.readUInt32BE(4);
  const count = data.readUInt32BE(8);
  if (version < 2 || version > 4) return null;
  const entries = new Map<string, Entry>();
  let at = 12;
  let before = Buffer.alloc(0);
  for (let index = 0; index < count; index++) {
    if (at + FIXED > data.length) return null;
    const modified = data.readUInt32BE(at + 8);
    const size = data.readUInt32BE(at + 36);
    const isExtended = version >= 3 && (data.readUInt16BE(at + 60) & 0x4000) !== 0;
    let start = at + FIXED + (isExtended ? 2 : 0);
    let kept = before.subarray(0, 0);
    if (version === 4) {
      // How much of the name before is cut off, seven bits a byte, as git's pack offsets are written.
      let byte = data[start++] ?? 0;
      let cut = byte & 0x7f;
      while ((byte & 0x80) !== 0) {
        byte = data[start++] ?? 0;
        cut = ((cut + 1) << 7) | (byte & 0x7f);
      }
      if (cut > before.length) return null;
      kept = before.subarray(0, before.length - cut);
    }
    const end = data.indexOf(0, start);
    if (end < 0) return null;
    const name = Buffer.concat([kept, data.subarray(start, end)]);
    entries.set(name.toString('utf8'), { size, modified });
    before = name;
    at = version === 4 ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8;
  }
  return entries;
}
