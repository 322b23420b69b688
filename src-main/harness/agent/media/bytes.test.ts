import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationOf } from './duration';
import { imageFacts } from './image';
import { sniff } from './sniff';
import { pngOf, wavOf } from './testing/files';

const bytes = (...parts: (string | number[] | Uint8Array)[]): Uint8Array =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    ),
  );
const u16 = (n: number) => [n >> 8, n & 255];
const u32 = (n: number) => [...u16(n >>> 16), ...u16(n & 0xffff)];
const le16 = (n: number) => u16(n).reverse();
const le32 = (n: number) => u32(n).reverse();
const zeros = (n: number) => new Uint8Array(n);
const box = (type: string, ...parts: Uint8Array[]) => {
  const inner = bytes(...parts);
  return bytes(u32(inner.length + 8), type, inner);
};

const jpeg = bytes(
  '\xff\xd8',
  '\xff\xe0',
  u16(4),
  [0, 0],
  '\xff\xff\xc2',
  u16(11),
  [8],
  u16(30),
  u16(40),
  [1, 1, 0x11, 0],
  '\xff\xda',
  u16(2),
  [1, 2, 3],
  '\xff\xd9',
);
const gif = bytes('GIF89a', le16(40), le16(30), [0, 0, 0], ',', [0, ';'.charCodeAt(0)]);
const webp = (chunk: Uint8Array) => bytes('RIFF', le32(4 + chunk.length), 'WEBP', chunk);
const heic = bytes(
  box('ftyp', bytes('heic', zeros(4))),
  box('ispe', bytes(zeros(4), u32(10), u32(10))),
  box('ispe', bytes(zeros(4), u32(40), u32(30))),
);

describe('an image', () => {
  it.each([
    ['image/png', pngOf(40, 30)],
    ['image/jpeg', jpeg],
    ['image/gif', gif],
    ['image/webp', webp(bytes('VP8X', le32(10), zeros(4), [39, 0, 0], [29, 0, 0]))],
    ['image/webp', webp(bytes('VP8L', le32(10), [0x2f], le32(39 | (29 << 14)), zeros(9)))],
    ['image/webp', webp(bytes('VP8 ', le32(10), zeros(3), [0x9d, 1, 0x2a], le16(40), le16(30)))],
    ['image/heic', heic],
  ])('is recognized as %s, with its size', (mimeType, image) => {
    expect([sniff(image), imageFacts(image, mimeType)]).toEqual([
      { kind: 'image', mimeType },
      { width: 40, height: 30 },
    ]);
  });

  it.each([
    ['image/png', pngOf(40, 30)],
    ['image/jpeg', jpeg],
    ['image/webp', webp(bytes('VP8X', le32(10), zeros(4), [39, 0, 0], [29, 0, 0]))],
  ])('is reported as truncated: %s', (mimeType, image) => {
    expect(imageFacts(image.subarray(0, -3), mimeType)).toEqual({ broken: 'it ends too early' });
  });
});

const mvhd = box('mvhd', bytes([0, 0, 0, 0], zeros(8), u32(600), u32(3_000), zeros(80)));
const opus = bytes(
  'OggS',
  zeros(24),
  'OpusHead',
  zeros(11),
  'OggS',
  [0, 4],
  le32(96_000),
  le32(0),
  zeros(12),
);

describe('a recording', () => {
  it.each<[string, string, number, Uint8Array]>([
    ['audio', 'audio/wav', 3, wavOf(3)],
    [
      'audio',
      'audio/flac',
      2,
      bytes('fLaC', [0, 0, 0, 34], zeros(10), [0x0a, 0xc4, 0x42, 0xf0], u32(88_200), zeros(16)),
    ],
    ['audio', 'audio/ogg', 2, opus],
    [
      'audio',
      'audio/aiff',
      2,
      bytes(
        'FORM',
        u32(46),
        'AIFF',
        'COMM',
        u32(18),
        u16(1),
        u32(88_200),
        u16(16),
        [0x40, 0x0e, 0xac, 0x44, 0, 0, 0, 0, 0, 0],
      ),
    ],
    ['video', 'video/mp4', 5, bytes(box('ftyp', bytes('isom')), box('mdat', zeros(64)), box('moov', mvhd))],
    ['video', 'video/quicktime', 5, bytes(box('ftyp', bytes('qt  ')), box('moov', mvhd))],
    [
      'video',
      'video/x-msvideo',
      4,
      bytes(
        'RIFF',
        le32(80),
        'AVI ',
        'LIST',
        le32(70),
        'hdrl',
        'avih',
        le32(56),
        le32(40_000),
        zeros(12),
        le32(100),
        zeros(36),
      ),
    ],
  ])('is recognized as %s, %s, with a length of %d s', (kind, mimeType, seconds, recording) => {
    expect([sniff(recording), durationOf(recording, mimeType)]).toEqual([{ kind, mimeType }, seconds]);
  });

  it('has no length if it is hard to find', () => {
    expect(durationOf(bytes('ID3', zeros(100)), 'audio/mpeg')).toBeNull();
    expect(durationOf(bytes('fLaC'), 'audio/flac')).toBeNull();
  });
});

describe('arbitrary bytes', () => {
  it('are at worst unrecognized', () => {
    const heads = [pngOf(2, 2), jpeg, gif, heic, opus, wavOf(1).subarray(0, 60), bytes(box('moov', mvhd))];
    const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/heic'];
    const sounds = ['audio/wav', 'audio/flac', 'audio/ogg', 'audio/aiff', 'video/mp4', 'video/x-msvideo'];
    fc.assert(
      fc.property(
        fc.constantFrom(...heads),
        fc.array(fc.tuple(fc.nat(120), fc.nat(255))),
        fc.nat(120),
        (head, changes, length) => {
          const given = Uint8Array.from(head);
          for (const [at, value] of changes) if (at < given.length) given[at] = value;
          const cut = given.subarray(0, length);
          sniff(cut);
          for (const type of types) imageFacts(cut, type);
          for (const type of sounds) durationOf(cut, type);
        },
      ),
      { numRuns: 300 },
    );
  });
});
