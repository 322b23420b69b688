/** Maximum pixels of a displayed image or video frame: 100 KB can encode five times as many. */
export const MAX_PIXELS = 100_000_000;
/** Maximum pixels of all frames of an animation: half an hour of full HD at one frame a second. */
const MAX_ANIMATION_PIXELS = 4_000_000_000;
/** Maximum bytes of the boxes that describe an AVIF file. */
const MAX_DESCRIPTION = 1024 * 1024;
/** Bytes of a file to read, step by step, until the image size is known: an animation reveals it only at its end. */
export const PICTURE_HEADS: readonly number[] = [64 * 1024, 8 * 1024 * 1024, 32 * 1024 * 1024];

/** `unknown`: an unsupported kind, or damaged; `more`: more bytes are needed. Only `fits` is decoded. */
export type PictureCheck = 'fits' | 'too_large' | 'unknown' | 'more';

/**
 * Whether an image may be decoded for display, judged by its first bytes, not its name. Supports every kind that Chromium
 * decodes except SVG. `isWhole`: there are no more bytes.
 */
export function checkPicture(head: Uint8Array, isWhole: boolean): PictureCheck {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    const size = sizeOf(head, view, isWhole);
    if (size === null) return 'unknown';
    const { pixels, frames } = size;
    return pixels > MAX_PIXELS || (frames > 1 && pixels * frames > MAX_ANIMATION_PIXELS)
      ? 'too_large'
      : 'fits';
  } catch (error) {
    if (error instanceof RangeError) return isWhole ? 'unknown' : 'more';
    throw error;
  }
}

/** The same for an image in base64. */
export function checkBase64Picture(base64: string): PictureCheck {
  const text = base64.replace(/\s+/gu, '');
  for (const most of PICTURE_HEADS) {
    const units = Math.floor(most / 3) * 4;
    const bytes = bytesIn(text.slice(0, units));
    if (bytes === null) return 'unknown';
    const check = checkPicture(bytes, text.length <= units);
    if (check !== 'more') return check;
  }
  return 'too_large';
}

function bytesIn(base64: string): Uint8Array | null {
  let text: string;
  try {
    text = atob(base64);
  } catch {
    return null;
  }
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

interface Size {
  /** Pixels of one frame. */
  pixels: number;
  frames: number;
}

const still = (pixels: number): Size => ({ pixels, frames: 1 });

/** Null for an unsupported kind. Throws a `RangeError` if the bytes end before the size. */
function sizeOf(head: Uint8Array, view: DataView, isWhole: boolean): Size | null {
  if (starts(head, 0, '\x89PNG')) return ofPng(head, view, isWhole);
  if (starts(head, 0, 'GIF8')) return ofGif(head, view, isWhole);
  if (starts(head, 0, 'RIFF') && starts(head, 8, 'WEBP')) return ofWebp(head, view, isWhole);
  if (starts(head, 0, 'BM')) return still(ofBmp(view, 14));
  if (starts(head, 0, '\x00\x00\x01\x00') || starts(head, 0, '\x00\x00\x02\x00')) return ofIcon(head, view);
  if (starts(head, 4, 'ftyp')) return ofBoxes(head, view, isWhole);
  return starts(head, 0, '\xff\xd8\xff') ? still(ofJpeg(view)) : null;
}

function starts(bytes: Uint8Array, at: number, text: string): boolean {
  for (let n = 0; n < text.length; n += 1) if (bytes[at + n] !== text.charCodeAt(n)) return false;
  return true;
}

/** An animation declares itself before the first pixels; its frames are counted. */
function ofPng(head: Uint8Array, view: DataView, isWhole: boolean): Size {
  const pixels = view.getUint32(16) * view.getUint32(20);
  let announced = 0;
  let frames = 0;
  for (let at = 8; ; at += 12 + view.getUint32(at)) {
    if (isWhole && at + 8 > head.length) break;
    if (starts(head, at + 4, 'IEND') || (starts(head, at + 4, 'IDAT') && announced === 0)) break;
    if (starts(head, at + 4, 'acTL')) announced = view.getUint32(at + 8);
    if (starts(head, at + 4, 'fcTL')) frames += 1;
  }
  return { pixels, frames: Math.max(1, announced, frames) };
}

/** The screen size per frame. A first frame that exceeds the screen enlarges it. */
function ofGif(head: Uint8Array, view: DataView, isWhole: boolean): Size {
  const u16 = (at: number) => view.getUint16(at, true);
  const table = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));
  let pixels = u16(6) * u16(8);
  let frames = 0;
  for (let at = 13 + table(view.getUint8(10)); ; ) {
    if (isWhole && at + 10 > view.byteLength) break;
    const mark = view.getUint8(at);
    if (mark === 0x2c) {
      if (frames === 0)
        pixels = Math.max(u16(6), u16(at + 1) + u16(at + 5)) * Math.max(u16(8), u16(at + 3) + u16(at + 7));
      frames += 1;
      at += 11 + table(view.getUint8(at + 9));
    } else if (mark === 0x21) at += 2;
    else break;
    for (let length = head[at]; length; length = head[at]) at += length + 1;
    at += 1;
  }
  return { pixels, frames };
}

function ofWebp(head: Uint8Array, view: DataView, isWhole: boolean): Size {
  if (starts(head, 12, 'VP8X')) {
    const u24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
    const pixels = (u24(24) + 1) * (u24(27) + 1);
    const isAnimation = (view.getUint8(20) & 2) !== 0;
    return isAnimation ? { pixels, frames: framesOfWebp(head, view, isWhole) } : still(pixels);
  }
  if (starts(head, 12, 'VP8L')) {
    const bits = view.getUint32(21, true);
    return still(((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1));
  }
  return still((view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff));
}

function framesOfWebp(head: Uint8Array, view: DataView, isWhole: boolean): number {
  const end = 8 + view.getUint32(4, true);
  let frames = 0;
  for (let at = 12; at + 8 <= end && !(isWhole && at + 8 > head.length); ) {
    const size = view.getUint32(at + 4, true);
    if (starts(head, at, 'ANMF')) frames += 1;
    at += 8 + size + (size % 2);
  }
  return frames;
}

/** The OS/2 header has short numbers. A negative height means rows from top to bottom. */
const ofBmp = (view: DataView, header: number): number =>
  view.getUint32(header, true) === 12
    ? view.getUint16(header + 4, true) * view.getUint16(header + 6, true)
    : Math.abs(view.getInt32(header + 4, true) * view.getInt32(header + 8, true));

/** The largest of its images, each a PNG or a BMP without its file header. */
function ofIcon(head: Uint8Array, view: DataView): Size {
  let most = 0;
  for (let entry = 0; entry < view.getUint16(4, true); entry += 1) {
    const at = view.getUint32(6 + entry * 16 + 12, true);
    // A BMP in an icon has its mask below its pixels.
    const pixels = starts(head, at, '\x89PNG')
      ? view.getUint32(at + 16) * view.getUint32(at + 20)
      : ofBmp(view, at) / 2;
    most = Math.max(most, pixels);
  }
  return still(most);
}

function ofJpeg(view: DataView): number {
  for (let at = 2; ; ) {
    // Decoders skip bytes between two segments.
    while (view.getUint8(at) !== 0xff) at += 1;
    while (view.getUint8(at) === 0xff) at += 1;
    const marker = view.getUint8(at);
    at += 1;
    // All frame headers, but not the tables with numbers in between.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return view.getUint16(at + 3) * view.getUint16(at + 5);
    const stands = marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    if (!stands) at += view.getUint16(at);
  }
}

/** AVIF: the largest size in its descriptions, which may be before or after its pixels. Null if there is none. */
function ofBoxes(head: Uint8Array, view: DataView, isWhole: boolean): Size | null {
  const found: Size = { pixels: 0, frames: 1 };
  for (let at = 0; !(isWhole && at + 8 > head.length); ) {
    const short = view.getUint32(at);
    const size = short === 1 ? view.getUint32(at + 8) * 2 ** 32 + view.getUint32(at + 12) : short;
    const isLast = size === 0;
    if (starts(head, at + 4, 'meta') || starts(head, at + 4, 'moov')) {
      if (size > MAX_DESCRIPTION || isLast) return { pixels: Number.POSITIVE_INFINITY, frames: 1 };
      if (at + size > head.length && !isWhole) throw new RangeError('The description is not there yet.');
      readDescription(head, view, at, Math.min(head.length, at + size), found);
    }
    if (isLast || size < 8) break;
    at += size;
  }
  return found.pixels === 0 ? null : found;
}

function readDescription(head: Uint8Array, view: DataView, from: number, to: number, found: Size): void {
  for (let at = from; at + 16 <= to; at += 1) {
    if (starts(head, at, 'ispe'))
      found.pixels = Math.max(found.pixels, view.getUint32(at + 8) * view.getUint32(at + 12));
    else if (starts(head, at, 'tkhd')) {
      const size = at + (view.getUint8(at + 4) === 1 ? 92 : 80);
      found.pixels = Math.max(found.pixels, view.getUint16(size) * view.getUint16(size + 4));
    } else if (starts(head, at, 'stsz')) found.frames = Math.max(found.frames, view.getUint32(at + 12));
  }
}
