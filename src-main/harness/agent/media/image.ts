import { crc32 } from 'node:zlib';

export type ImageFacts = { width: number; height: number } | { broken: string };

const broken = (why: string): ImageFacts => ({ broken: why });
const TOO_SHORT = 'it ends too early';

/**
 * Width and height of an image in pixels, or what is wrong with it. Checks for signs of truncation or corruption (PNG
 * checksums, the end markers of other formats) without decoding, because services refuse a whole request over such a file.
 */
export function imageFacts(bytes: Uint8Array, mimeType: string): ImageFacts {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const facts = read(view, mimeType);
  if ('broken' in facts) return facts;
  return facts.width > 0 && facts.height > 0 ? facts : broken('it has no pixels');
}

function read(bytes: Buffer, mimeType: string): ImageFacts {
  switch (mimeType) {
    case 'image/png':
      return png(bytes);
    case 'image/jpeg':
      return jpeg(bytes);
    case 'image/gif':
      return gif(bytes);
    case 'image/webp':
      return webp(bytes);
    default:
      return heif(bytes);
  }
}

function png(bytes: Buffer): ImageFacts {
  let size: ImageFacts = broken('it has no header');
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) return broken(TOO_SHORT);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      return broken('its bytes were damaged');
    if (type === 'IHDR' && length >= 8)
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    if (type === 'IEND') return size;
    at = end;
  }
  return broken(TOO_SHORT);
}

function jpeg(bytes: Buffer): ImageFacts {
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 4) return broken(TOO_SHORT);
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return broken('its bytes were damaged');
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // Frame headers, but not the tables whose numbers lie between them.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (marker === 0xda || marker === 0xd9) break;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return broken('it has no header');
}

function gif(bytes: Buffer): ImageFacts {
  if (bytes.length < 14) return broken(TOO_SHORT);
  // Some programs append a few bytes after the end marker.
  if (!bytes.subarray(-64).includes(0x3b)) return broken(TOO_SHORT);
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function webp(bytes: Buffer): ImageFacts {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return broken(TOO_SHORT);
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return broken('it has no header');
  }
}

/** The largest size in the file, because it also lists thumbnails and tiles. */
function heif(bytes: Buffer): ImageFacts {
  let size: { width: number; height: number } | null = null;
  for (
    let at = bytes.indexOf('ispe');
    at >= 0 && at + 16 <= bytes.length;
    at = bytes.indexOf('ispe', at + 4)
  ) {
    const [width, height] = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
    if (size === null || width * height > size.width * size.height) size = { width, height };
  }
  return size ?? broken('it has no header');
}
