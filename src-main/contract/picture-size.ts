/** Pixels of a picture that is decoded to be shown: 100 KB may stand for five times as many. */
const MAX_PIXELS = 100_000_000;
/** Bytes of a file in which its size stands; more only where it has much about itself before its pixels. */
export const PICTURE_HEAD = 64 * 1024;
export const LONGEST_PICTURE_HEAD = 8 * 1024 * 1024;
/**
 * Whether a picture has more pixels than are decoded: by the bytes it begins with, whatever its name says. `isWhole`: there
 * are no more. True where more must be read to know.
 */
export function isTooManyPixels(head: Uint8Array, isWhole: boolean): boolean {
  const pixels = pixelsOf(head);
  return pixels === null ? !isWhole : pixels > MAX_PIXELS;
}

/** 0 for what is none of the kinds that are decoded; null where the bytes end before they say. */
function pixelsOf(head: Uint8Array): number | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    if (starts(head, 0, '\x89PNG')) return view.getUint32(16) * view.getUint32(20);
    if (starts(head, 0, 'GIF8')) return ofGif(view);
    if (starts(head, 0, 'RIFF') && starts(head, 8, 'WEBP')) return ofWebp(head, view);
    if (starts(head, 0, 'BM')) return ofBmp(view);
    if (starts(head, 4, 'ftyp')) return ofBoxes(head, view);
    return starts(head, 0, '\xff\xd8\xff') ? ofJpeg(view) : 0;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function starts(bytes: Uint8Array, at: number, text: string): boolean {
  for (let n = 0; n < text.length; n += 1) if (bytes[at + n] !== text.charCodeAt(n)) return false;
  return true;
}

/** The screen, which a first frame that leads out of it makes larger. */
function ofGif(view: DataView): number {
  const u16 = (at: number) => view.getUint16(at, true);
  const table = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));
  for (let at = 13 + table(view.getUint8(10)); ; ) {
    const mark = view.getUint8(at);
    if (mark === 0x2c)
      return Math.max(u16(6), u16(at + 1) + u16(at + 5)) * Math.max(u16(8), u16(at + 3) + u16(at + 7));
    if (mark !== 0x21) return u16(6) * u16(8);
    at += 2;
    for (let length = view.getUint8(at); length !== 0; length = view.getUint8(at)) at += length + 1;
    at += 1;
  }
}

function ofWebp(head: Uint8Array, view: DataView): number {
  if (starts(head, 12, 'VP8X')) {
    const u24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
    return (u24(24) + 1) * (u24(27) + 1);
  }
  if (starts(head, 12, 'VP8L')) {
    const bits = view.getUint32(21, true);
    return ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1);
  }
  return (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff);
}

/** The header of OS/2 has short numbers; a negative height is that of rows from top to bottom. */
const ofBmp = (view: DataView): number =>
  view.getUint32(14, true) === 12
    ? view.getUint16(18, true) * view.getUint16(20, true)
    : Math.abs(view.getInt32(18, true) * view.getInt32(22, true));

function ofJpeg(view: DataView): number {
  for (let at = 2; ; ) {
    // Decoders pass over what stands between two parts.
    while (view.getUint8(at) !== 0xff) at += 1;
    while (view.getUint8(at) === 0xff) at += 1;
    const marker = view.getUint8(at);
    at += 1;
    // All frame headers, but not the tables that have numbers between them.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return view.getUint16(at + 3) * view.getUint16(at + 5);
    const stands = marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    if (!stands) at += view.getUint16(at);
  }
}

/** AVIF: the largest of the sizes that it names: of its parts, of the whole, and of the tracks of one that moves. */
function ofBoxes(head: Uint8Array, view: DataView): number | null {
  let most = 0;
  for (let at = 8; at + 4 <= head.length; at += 1) {
    if (starts(head, at, 'ispe')) most = Math.max(most, view.getUint32(at + 8) * view.getUint32(at + 12));
    if (!starts(head, at, 'tkhd')) continue;
    const size = at + (view.getUint8(at + 4) === 1 ? 92 : 80);
    most = Math.max(most, view.getUint16(size) * view.getUint16(size + 4));
  }
  return most === 0 ? null : most;
}
