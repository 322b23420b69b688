import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { animation } from './animation.mjs';
import { chunk, compact, decode } from './png.mjs';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A screenshot in true color, as a browser writes it. Each row: its filter, and its bytes. */
function screenshot(width: number, rows: readonly (readonly number[])[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The chunks of a file, by name and content. */
function parts(file: Buffer): [string, Buffer][] {
  const found: [string, Buffer][] = [];
  for (let at = 8; at < file.length; ) {
    const size = file.readUInt32BE(at);
    found.push([file.toString('latin1', at + 4, at + 8), file.subarray(at + 8, at + 8 + size)]);
    at += size + 12;
  }
  return found;
}
const partOf = (file: Buffer, name: string) => parts(file).find(([one]) => one === name)?.[1];

const RED = [255, 0, 0];
const BLUE = [0, 0, 255];

describe('a screenshot', () => {
  it('is read with every filter', () => {
    const rows = [
      [0, ...RED, ...BLUE],
      [1, ...RED, 1, 0, 255],
      [2, 0, 0, 0, 0, 0, 0],
      [3, 128, 0, 0, 128, 0, 128],
      [4, 0, 0, 0, 0, 0, 0],
    ];
    const { colors } = decode(screenshot(2, rows));
    expect([...colors].map((color) => color.toString(16).padStart(6, '0'))).toEqual([
      ...['ff0000', '0000ff'],
      ...['ff0000', '0000ff'],
      ...['ff0000', '0000ff'],
      ...['ff0000', 'ff00ff'],
      ...['ff0000', 'ff00ff'],
    ]);
  });

  it('keeps its colors in a palette', () => {
    const file = compact(
      screenshot(2, [
        [0, ...RED, ...BLUE],
        [0, ...BLUE, ...BLUE],
      ]),
    );
    expect(partOf(file, 'PLTE')).toEqual(Buffer.from([...BLUE, ...RED]));
    expect(inflateSync(partOf(file, 'IDAT') ?? Buffer.alloc(0))).toEqual(Buffer.from([0, 1, 0, 0, 0, 0]));
  });

  it('is refused if it is not a PNG', () => {
    expect(() => decode(Buffer.from('GIF89a'))).toThrow('not a PNG');
  });
});

describe('an animation', () => {
  it('has all frames, each with the area that changed and its time', () => {
    const first = screenshot(3, [
      [0, ...RED, ...RED, ...RED],
      [0, ...RED, ...RED, ...RED],
    ]);
    const second = screenshot(3, [
      [0, ...RED, ...RED, ...RED],
      [0, ...RED, ...BLUE, ...RED],
    ]);
    const file = animation([
      { screenshot: first, milliseconds: 900 },
      { screenshot: second, milliseconds: 1_500 },
      { screenshot: second, milliseconds: 10 },
    ]);
    expect(parts(file).map(([name]) => name)).toEqual([
      'IHDR',
      'PLTE',
      'acTL',
      ...['fcTL', 'IDAT'],
      ...['fcTL', 'fdAT'],
      ...['fcTL', 'fdAT'],
      'IEND',
    ]);
    const controls = parts(file).filter(([name]) => name === 'fcTL');
    const numbers = controls.map(([, data]) => [0, 4, 8, 12, 16].map((at) => data.readUInt32BE(at)));
    // Sequence, width, height, left, top.
    expect(numbers).toEqual([
      [0, 3, 2, 0, 0],
      [1, 1, 1, 1, 1],
      [3, 1, 1, 0, 0],
    ]);
    expect(controls.map(([, data]) => data.readUInt16BE(20))).toEqual([900, 1_500, 10]);
  });
});
