import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FilesystemBackend } from '../filesystem';
import { decode, detectEncoding, type Encoding, encode } from './encoding';

let root: string;
let fs: FilesystemBackend;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deepdesk-encoding-'));
  fs = new FilesystemBackend({ rootDir: root, maxFileSizeMb: 3 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const bytesOf = (text: string, encoding: Encoding): Buffer => {
  const bytes = encode(text, encoding);
  if ('unknown' in bytes) throw new Error(`not in ${encoding}: ${bytes.unknown}`);
  return bytes;
};
const onDisk = () => readFileSync(join(root, 'a.txt'));

/** Name, encoding, and the byte order mark as a character. */
const FORMS: [string, Encoding, string][] = [
  ['UTF-8', 'utf-8', ''],
  ['UTF-8 with a mark', 'utf-8', '\ufeff'],
  ['UTF-16 LE', 'utf-16le', '\ufeff'],
  ['UTF-16 BE', 'utf-16be', '\ufeff'],
  ['UTF-16 LE without a mark', 'utf-16le', ''],
  ['UTF-16 BE without a mark', 'utf-16be', ''],
  ['Windows-1252', 'windows-1252', ''],
];

describe.each(FORMS)('a file in %s', (_, encoding, mark) => {
  const text =
    'Grüße,\r\nder Preis ist £5 — “gut”,\r\nand now a good deal of plain text, as in most files.\r\n';

  it('is read as text, edited and overwritten, and keeps its encoding', async () => {
    writeFileSync(join(root, 'a.txt'), bytesOf(mark + text, encoding));
    const page = await fs.read('/a.txt', 0, 2);
    expect(page).toMatchObject({
      content: 'Grüße,\nder Preis ist £5 — “gut”,',
      totalLines: 3,
      nextOffset: 2,
    });
    expect((await fs.readRaw('/a.txt')).data?.content).toBe(mark + text);
    const edited = await fs.edit('/a.txt', '“gut”,\nand', '„böse“,\nund\n');
    const after = mark + text.replace('“gut”,\r\nand', '„böse“,\r\nund\r\n');
    expect({ edited, bytes: onDisk() }).toEqual({
      edited: {
        path: '/a.txt',
        filesUpdate: null,
        occurrences: 1,
        version: (await fs.read('/a.txt')).version,
      },
      bytes: bytesOf(after, encoding),
    });
    await fs.write('/a.txt', 'ganz\nneu: ü, and nothing but plain text after that\n');
    expect(onDisk()).toEqual(
      bytesOf(`${mark}ganz\r\nneu: ü, and nothing but plain text after that\r\n`, encoding),
    );
  });

  it('is paged by lines and columns like text', async () => {
    const lines = Array.from({ length: 3_000 }, (__, n) => `line ${n} is é`);
    const long = 'plain é '.repeat(20_000);
    writeFileSync(join(root, 'a.txt'), bytesOf(`${mark}${lines.join('\n')}\n${long}\nlast`, encoding));
    expect(await fs.read('/a.txt', 2_998, 2)).toMatchObject({
      content: 'line 2998 is é\nline 2999 is é',
      nextOffset: 3_000,
      totalLines: 3_002,
    });
    let [text, column] = ['', 0];
    for (;;) {
      const page = await fs.read('/a.txt', 3_000, 500, { column });
      text += String(page.content);
      if (page.nextColumn === undefined) break;
      column = page.nextColumn;
    }
    expect(text === `${long}\nlast`).toBe(true);
  });
});

describe('an edit that the encoding cannot represent', () => {
  it('is reported and changes nothing', async () => {
    const before = bytesOf('Preis: 5 £', 'windows-1252');
    writeFileSync(join(root, 'a.txt'), before);
    const refused = {
      error:
        "Error: the new text has U+4F60, which the file's encoding (windows-1252) cannot hold. Nothing was changed. " +
        'Use other characters, or delete the file and write it again as UTF-8.',
      kind: 'invalid',
    };
    expect(await fs.edit('/a.txt', 'Preis', '你好')).toEqual(refused);
    expect(await fs.write('/a.txt', 'x 你好')).toEqual(refused);
    expect(onDisk()).toEqual(before);
    expect((await fs.edit('/a.txt', 'Preis', '5 € — Preis')).occurrences).toBe(1);
    expect((await fs.read('/a.txt')).content).toBe('5 € — Preis: 5 £');
  });

  it('includes half a character, in any encoding', async () => {
    writeFileSync(join(root, 'a.txt'), 'one');
    expect((await fs.edit('/a.txt', 'one', 'x\ud83d')).kind).toBe('invalid');
    expect((await fs.write('/new.txt', '\udc00')).kind).toBe('invalid');
    expect(readdirSync(root)).toEqual(['a.txt']);
  });
});

describe('text', () => {
  const kindOf = (...bytes: number[]) => detectEncoding(Uint8Array.from(bytes), true);

  it('has no NUL and no control characters, and is whole', () => {
    expect(kindOf()).toBe('utf-8');
    expect(kindOf(0x61, 0, 0x62)).toBe(null);
    expect(kindOf(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)).toBe(null);
    expect(kindOf(0xff, 0xfe, 0x00, 0xd8)).toBe(null);
    expect(kindOf(0xe9, 0x01, 0x02)).toBe(null);
    expect(kindOf(0x63, 0x61, 0x66, 0xe9)).toBe('windows-1252');
    // Two-byte numbers are not text, though every other byte is 0.
    expect(kindOf(1, 0, 2, 0, 3, 0, 4, 0, 5, 0)).toBe(null);
    expect(kindOf(0x61, 0, 0x62, 0)).toBe(null);
  });

  it('is recognized by its start, even if that is cut within a character', () => {
    const text = Buffer.from('a€');
    expect(detectEncoding(text.subarray(0, 3), false)).toBe('utf-8');
    expect(detectEncoding(text.subarray(0, 3), true)).toBe('windows-1252');
    expect(detectEncoding(Buffer.from('\ufeffa😀', 'utf16le').subarray(0, 6), false)).toBe('utf-16le');
  });

  it('loses nothing as Windows-1252, whatever its bytes', () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    expect(bytesOf(decode(all, 'windows-1252') ?? '', 'windows-1252')).toEqual(all);
    expect(decode(Buffer.from([0x80, 0x93, 0xe9, 0x9f]), 'windows-1252')).toBe('€“éŸ');
  });
});

describe('large files', () => {
  it('are paged in Windows-1252 at any size, and show one odd byte as such', async () => {
    const line = Buffer.from('caf\u00e9 au lait\n', 'latin1');
    writeFileSync(join(root, 'a.txt'), Buffer.concat(new Array(400_000).fill(line)));
    expect(await fs.read('/a.txt', 399_999, 1)).toMatchObject({
      content: 'café au lait',
      totalLines: 400_000,
    });
    writeFileSync(join(root, 'b.txt'), Buffer.concat([Buffer.from('plain text\n'.repeat(400_000)), line]));
    expect((await fs.read('/b.txt', 400_000, 1)).content).toBe('café au lait');
  });

  it('are rejected in UTF-16 beyond the limit for whole files, with the reason', async () => {
    const text = 'plain text\n'.repeat(100_000);
    writeFileSync(join(root, 'a.txt'), bytesOf(`\ufeff${text}`, 'utf-16be'));
    expect((await fs.read('/a.txt', 99_999, 1)).content).toBe('plain text');
    writeFileSync(join(root, 'a.txt'), bytesOf(`\ufeff${text}${text}`, 'utf-16be'));
    expect(await fs.read('/a.txt')).toEqual({
      error: "'/a.txt' is too large to be handled whole, being UTF-16 (5 MB, at most 3 MB).",
      kind: 'too_large',
    });
  });

  it('are searched by ripgrep in UTF-16 with a byte order mark', async () => {
    writeFileSync(join(root, 'a.txt'), bytesOf('\ufeffone\nneedle é\n', 'utf-16le'));
    const found = [{ path: '/a.txt', line: 2, text: 'needle é' }];
    expect((await fs.grep('needle')).matches).toEqual(found);
    expect((await fs.grep('needle', '/a.txt')).matches).toEqual(found);
  });
});
