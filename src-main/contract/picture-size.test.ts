import { expect, it } from 'vitest';
import { isTooManyPixels, PICTURE_HEAD } from './picture-size';

type Size = [width: number, height: number];
const u16 = (...all: number[]) => all.flatMap((n) => [n & 255, (n >> 8) & 255]);
const be16 = (...all: number[]) => all.flatMap((n) => [(n >> 8) & 255, n & 255]);
const u32 = (...all: number[]) => all.flatMap((n) => u16(n & 0xffff, n >>> 16));
const be32 = (...all: number[]) => all.flatMap((n) => be16(n >>> 16, n & 0xffff));
const text = (all: string) => [...Buffer.from(all, 'latin1')];
const zeros = (count: number) => Array.from({ length: count }, () => 0);

const gif = (screen: Size, frame: Size) => [
  ...text('GIF89a'),
  ...u16(...screen),
  ...[0x80, 0, 0, ...zeros(6)],
  ...[0x21, 0xfe, 2, 1, 1, 1, 9, 0],
  ...[0x2c, ...u16(0, 0, ...frame), 0],
];
const jpeg = ([width, height]: Size, before = 100) => [
  ...[0xff, 0xd8, 0xff, 0xe1, ...be16(before + 2), ...zeros(before)],
  ...[0, 7, 0xff, 0xff, 0xc2, ...be16(17), 8, ...be16(height, width), 3],
];
const kinds: Record<string, (size: Size) => number[]> = {
  PNG: (size) => [...text('\x89PNG\r\n\x1a\n'), ...be32(13), ...text('IHDR'), ...be32(...size)],
  'GIF by its screen': (size) => gif(size, [1, 1]),
  'GIF by its first frame': (size) => gif([1, 1], size),
  JPEG: (size) => jpeg(size),
  'lossy WebP': (size) => [...text('RIFF....WEBPVP8 '), ...zeros(10), ...u16(...size)],
  'lossless WebP': ([width, height]) => [
    ...text('RIFF....WEBPVP8L'),
    ...[0, 0, 0, 0, 0x2f, ...u32(((width - 1) | ((height - 1) << 14)) >>> 0)],
  ],
  'extended WebP': ([width, height]) => [
    ...text('RIFF....WEBPVP8X'),
    ...zeros(8),
    ...u32(width - 1).slice(0, 3),
    ...u32(height - 1).slice(0, 3),
  ],
  BMP: (size) => [...text('BM'), ...zeros(12), ...u32(40, ...size)],
  'BMP from top to bottom': ([width, height]) => [
    ...text('BM'),
    ...zeros(12),
    ...u32(40, width, -height >>> 0),
  ],
  'BMP of OS/2': (size) => [...text('BM'), ...zeros(12), ...u32(12), ...u16(...size)],
  AVIF: (size) => [
    ...text('....ftypavif'),
    ...[...text('ispe'), ...be32(0, 64, 64)],
    ...[...text('ispe'), ...be32(0, ...size)],
  ],
  'AVIF that moves': ([width, height]) => [
    ...[...text('....ftypavis'), ...text('ispe'), ...be32(0, 64, 64)],
    ...[...text('tkhd'), ...zeros(76), ...be16(width, 0, height, 0)],
  ],
};
const large = (bytes: number[], isWhole = true) => isTooManyPixels(Uint8Array.from(bytes), isWhole);

it.each(Object.entries(kinds))(
  'knows how many pixels a %s has before it is decoded [safety 24]',
  (_, made) => {
    expect([
      large(made([10_000, 10_000])),
      large(made([10_001, 10_000])),
      large(made([10_000, 10_001])),
    ]).toEqual([false, true, true]);
  },
);

it('asks for more bytes where the size does not stand in the first ones [safety 24]', () => {
  const long = jpeg([100, 100], 65_000);
  const twice = [...long.slice(0, 65_006), ...long.slice(2)];
  expect(large(twice.slice(0, PICTURE_HEAD), false)).toBe(true);
  expect(large(twice)).toBe(false);
});

it('leaves to the decoder what is no picture or ends too early', () => {
  expect([large(text('<svg/>')), large(text('\x89PNG')), large([]), large([0xff, 0xd8, 0xff])]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
