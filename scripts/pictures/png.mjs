// PNG in and out, as far as screenshots need it: true color without interlacing in, a palette out. A screenshot has few colors,
// so that a palette makes it three times smaller.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_BYTES = 13;
const TRUE_COLOR = 2;
const TRUE_COLOR_ALPHA = 6;
const PALETTE = 3;
const MAX_COLORS = 256;
/** Sum of the differences of red, green and blue below which two colors look the same. */
const ALIKE = 8;

/**
 * @typedef {{ width: number, height: number, colors: Uint32Array }} Picture  The colors as 0xRRGGBB, row by row.
 * @typedef {{ x: number, y: number, width: number, height: number }} Area
 */

/** @param {Buffer} file @returns {Generator<{ type: string, data: Buffer }>} */
function* chunksOf(file) {
  for (let at = SIGNATURE.length; at < file.length; ) {
    const size = file.readUInt32BE(at);
    yield { type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + size) };
    at += size + 12;
  }
}

/** @param {string} type @param {Buffer} data */
export function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** @param {Buffer} file @returns {Picture} */
export function decode(file) {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('This is not a PNG file.');
  const chunks = [...chunksOf(file)];
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header === undefined) throw new Error('The PNG file has no header.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, kind, , , interlaced] = header.subarray(8);
  if (depth !== 8 || (kind !== TRUE_COLOR && kind !== TRUE_COLOR_ALPHA) || interlaced !== 0)
    throw new Error(`Only screenshots in true color can be read, not depth ${depth}, kind ${kind}.`);
  const data = chunks.filter(({ type }) => type === 'IDAT').map((one) => one.data);
  const bytes = kind === TRUE_COLOR ? 3 : 4;
  const rows = unfiltered(inflateSync(Buffer.concat(data)), width * bytes, height, bytes);
  const colors = new Uint32Array(width * height);
  for (let at = 0; at < colors.length; at += 1) colors[at] = rows.readUIntBE(at * bytes, 3);
  return { width, height, colors };
}

/** @param {Buffer} data @param {number} stride @param {number} height @param {number} bytes */
function unfiltered(data, stride, height, bytes) {
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < bytes ? 0 : Number(rows[at - bytes]);
      const up = y === 0 ? 0 : Number(rows[at - stride]);
      const corner = x < bytes || y === 0 ? 0 : Number(rows[at - stride - bytes]);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][Number(filter)] ?? 0;
      rows[at] = Number(data[y * (stride + 1) + 1 + x]) + guess;
    }
  }
  return rows;
}

/** @param {number} left @param {number} up @param {number} corner */
function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** @param {number} a @param {number} b */
const distance = (a, b) =>
  Math.abs((a >> 16) - (b >> 16)) +
  Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)) +
  Math.abs((a & 255) - (b & 255));

/**
 * The most frequent colors of the pictures, without those that look like a more frequent one, and a function that gives the
 * index of the nearest one.
 * @param {readonly Picture[]} pictures
 */
export function paletteOf(pictures) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const { colors } of pictures)
    for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([color]) => color);
  /** @type {number[]} */
  const palette = [];
  for (const color of byCount) {
    if (palette.length === MAX_COLORS) break;
    if (!palette.some((other) => distance(color, other) < ALIKE)) palette.push(color);
  }
  /** @type {Map<number, number>} */
  const known = new Map();
  const nearest = (/** @type {number} */ color) => {
    let best = 0;
    for (const [index, other] of palette.entries())
      if (distance(color, other) < distance(color, palette[best] ?? 0)) best = index;
    return best;
  };
  const indexOf = (/** @type {number} */ color) => {
    const found = known.get(color) ?? nearest(color);
    known.set(color, found);
    return found;
  };
  return { palette, indexOf };
}

/** The pixels of an area as palette indexes, compressed. @param {Picture} picture @param {Area} area @param {(color: number) => number} indexOf */
export function pixels({ width, colors }, area, indexOf) {
  const rows = Buffer.alloc((area.width + 1) * area.height);
  for (let y = 0; y < area.height; y += 1)
    for (let x = 0; x < area.width; x += 1)
      rows[y * (area.width + 1) + 1 + x] = indexOf(colors[(area.y + y) * width + area.x + x] ?? 0);
  return deflateSync(rows, { level: 9, memLevel: 9 });
}

/** A PNG file with a palette. `before` and `after` surround the pixels. @param {Picture} picture @param {readonly number[]} palette @param {readonly Buffer[]} parts */
export function file({ width, height }, palette, parts) {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, PALETTE, 0, 0, 0], 8);
  const entries = Buffer.alloc(palette.length * 3);
  for (const [index, color] of palette.entries()) entries.writeUIntBE(color, index * 3, 3);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', entries),
    ...parts,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @param {Picture} picture @returns {Area} */
export const whole = ({ width, height }) => ({ x: 0, y: 0, width, height });

/** A screenshot with a palette instead of true color. @param {Buffer} screenshot */
export function compact(screenshot) {
  const picture = decode(screenshot);
  const { palette, indexOf } = paletteOf([picture]);
  return file(picture, palette, [chunk('IDAT', pixels(picture, whole(picture), indexOf))]);
}
