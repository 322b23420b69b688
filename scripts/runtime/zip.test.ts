import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { unzip } from './zip.mjs';

interface File {
  name: string;
  body: Buffer;
  mode: number;
  deflate: boolean;
}

/** A zip archive as other programs write it: local headers with bodies, then the directory, then the end record. */
function zip(files: File[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, body, mode, deflate } of files) {
    const packed = deflate ? deflateRawSync(body) : body;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(deflate ? 8 : 0, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(body.length, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(mode * 0x10000, 38);
    central.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(name), packed);
    directory.push(central, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, listing, end]);
}

function archiveOf(files: Partial<File>[]): { archive: string; into: string } {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-zip-'));
  const archive = join(folder, 'a.zip');
  const defaults = { name: 'file', body: Buffer.from('text'), mode: 0o644, deflate: true };
  writeFileSync(archive, zip(files.map((file) => ({ ...defaults, ...file }))));
  return { archive, into: join(folder, 'out') };
}

it('unpacks the selected files under their new names with their modes', async () => {
  const long = Buffer.alloc(300_000, 'abc');
  const { archive, into } = archiveOf([
    { name: 'App/', body: Buffer.alloc(0), deflate: false },
    { name: 'App/program', body: long, mode: 0o755 },
    { name: 'App/locales/de', body: Buffer.from('stored'), deflate: false },
    { name: 'App/empty', body: Buffer.alloc(0), deflate: false },
    { name: 'App/left-out' },
  ]);

  const written = await unzip(archive, into, (name) =>
    name === 'App/left-out' ? undefined : name.replace('App/', ''),
  );

  expect(written).toBe(3);
  expect(readFileSync(join(into, 'program')).equals(long)).toBe(true);
  expect(statSync(join(into, 'program')).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(into, 'locales/de'), 'utf8')).toBe('stored');
  expect(statSync(join(into, 'empty')).size).toBe(0);
});

it('rejects a name that leads outside the folder', async () => {
  const { archive, into } = archiveOf([{ name: '../escaped' }]);
  await expect(unzip(archive, into, (name) => name)).rejects.toThrow('unsafe name');
});

it('rejects a file that is not an archive', async () => {
  const { archive, into } = archiveOf([]);
  writeFileSync(archive, 'not a zip archive, but long enough to hold an end record');
  await expect(unzip(archive, into, (name) => name)).rejects.toThrow('not a zip archive');
});
