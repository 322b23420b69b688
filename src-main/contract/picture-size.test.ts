import { expect, it } from 'vitest';
import { standardTime } from '../base/testing/processor-time';
import { checkBase64Picture, checkPicture, PICTURE_HEADS } from './picture-size';

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
/** An AVIF box. */
const box = (type: string, ...inside: number[][]) => {
  const content = inside.flat();
  return [...be32(content.length + 8), ...text(type), ...content];
};
const png = (size: Size, ...chunks: number[][]) => [
  ...[...text('\x89PNG\r\n\x1a\n'), ...be32(13), ...text('IHDR'), ...be32(...size), ...zeros(9)],
  ...chunks.flat(),
  ...[...be32(0), ...text('IDAT'), ...zeros(4)],
];
const avif = box('ftyp', text('avif'));
const ispe = (...size: Size) => box('ispe', be32(0, ...size));
const tracks = ([width, height]: Size, frames: number) =>
  box('moov', box('tkhd', zeros(76), be16(width, 0, height, 0)), box('stsz', be32(0, 0, frames)));
const icon = (...pictures: number[][]) => {
  let at = 6 + pictures.length * 16;
  const entries = pictures.map((picture) => {
    at += picture.length;
    return [...zeros(8), ...u32(picture.length, at - picture.length)];
  });
  return [...u16(0, 1, pictures.length), ...entries.flat(), ...pictures.flat()];
};
const jpeg = ([width, height]: Size, before = 100) => [
  ...[0xff, 0xd8, 0xff, 0xe1, ...be16(before + 2), ...zeros(before)],
  ...[0, 7, 0xff, 0xff, 0xc2, ...be16(17), 8, ...be16(height, width), 3],
];
const kinds: Record<string, (size: Size) => number[]> = {
  PNG: (size) => png(size),
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
  AVIF: (size) => [...avif, ...box('meta', ispe(64, 64), ispe(...size))],
  'AVIF that describes itself after its pixels': (size) => [
    ...[...avif, ...box('free', text('ispe'), be32(0, 64, 64)), ...box('mdat', zeros(900))],
    ...box('meta', ispe(...size)),
  ],
  'AVIF that moves': (size) => [...avif, ...box('meta', ispe(64, 64)), ...tracks(size, 2)],
  'icon of a PNG': (size) => icon(png([16, 16]), png(size)),
  'icon of a BMP': ([width, height]) => icon(u32(40, width, height * 2)),
};
const check = (bytes: number[], isWhole = true) => checkPicture(Uint8Array.from(bytes), isWhole);
const [FIRST_HEAD = 0] = PICTURE_HEADS;

it.each(Object.entries(kinds))('computes the pixels of a %s before decoding it [safety 24]', (_, made) => {
  const sizes: Size[] = [
    [10_000, 10_000],
    [10_001, 10_000],
    [10_000, 10_001],
  ];
  const checks = ['fits', 'too_large', 'too_large'];
  expect(sizes.map((size) => check(made(size)))).toEqual(checks);
  const inText = sizes.map((size) => Buffer.from(made(size)).toString('base64'));
  expect(inText.map((base64) => checkBase64Picture(base64))).toEqual(checks);
});

const times = (count: number, part: number[]) => Array.from({ length: count }, () => part).flat();
const chunk = (type: string, content: number[] = []) => [
  ...[...be32(content.length), ...text(type)],
  ...[...content, ...zeros(4)],
];
const animations: Record<string, (size: Size, frames: number) => number[]> = {
  GIF: ([width, height], frames) => [
    ...[...text('GIF89a'), ...u16(width, height), 0, 0, 0],
    ...times(frames, [0x2c, ...u16(0, 0, width, height), 0, 2, 1, 0, 0]),
    0x3b,
  ],
  'PNG by what it announces': (size, frames) => png(size, chunk('acTL', be32(frames, 0))),
  'PNG by its frames': (size, frames) =>
    png(size, chunk('acTL', be32(1, 0)), times(frames, chunk('fcTL', zeros(26)))),
  WebP: ([width, height], frames) => [
    ...[...text('RIFF'), ...u32(22 + frames * 16 + 20), ...text('WEBPVP8X'), ...u32(10), 2, 0, 0, 0],
    ...[...u32(width - 1).slice(0, 3), ...u32(height - 1).slice(0, 3)],
    ...times(frames, [...text('ANMF'), ...u32(8), ...zeros(8)]),
  ],
  AVIF: (size, frames) => [...avif, ...tracks(size, frames)],
};

it.each(Object.entries(animations))('computes the pixels of all frames of a %s [safety 24]', (_, made) => {
  expect(check(made([2_000, 2_000], 1_000))).toBe('fits');
  expect(check(made([2_000, 2_000], 1_001))).toBe('too_large');
  expect(check(made([2_000, 2_000], 1_001).slice(0, 40), false)).toBe('more');
});

it('requests more bytes if the first ones do not contain the size [safety 24]', () => {
  const long = jpeg([100, 100], 65_000);
  const twice = [...long.slice(0, 65_006), ...long.slice(2)];
  expect(check(twice.slice(0, FIRST_HEAD), false)).toBe('more');
  expect(check(twice)).toBe('fits');
  expect(checkBase64Picture(Buffer.from(twice).toString('base64'))).toBe('fits');
});

it('returns unknown for data that is not an image or ends before its size', () => {
  const jxl = [0, 0, 0, 12, ...text('JXL \r\n\x87\n')];
  for (const none of [text('<svg/>'), text('\x89PNG'), [], [0xff, 0xd8, 0xff], [0xff, 0x0a], jxl, avif])
    expect(check(none)).toBe('unknown');
  expect(checkBase64Picture('*')).toBe('unknown');
});

it('measures a hostile animation of 32 MB quickly [safety 24]', async () => {
  const bytes = new Uint8Array(32 * 1024 * 1024).fill(1);
  bytes.set([...text('GIF89a'), 1, 0, 1, 0, 0, 0, 0, 0x21, 0xfe]);
  expect(checkPicture(bytes, true)).toBe('fits');
  expect(await standardTime(() => checkPicture(bytes, true))).toBeLessThan(500);
});
