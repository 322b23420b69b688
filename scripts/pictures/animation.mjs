// An animated PNG: browsers and README pages show it, and other viewers its first frame.
import { chunk, decode, file, paletteOf, pixels, whole } from './png.mjs';

const THOUSANDTHS = 1_000;

/** @param {readonly { screenshot: Buffer, milliseconds: number }[]} frames Of one size. */
export function animation(frames) {
  const pictures = frames.map(({ screenshot }) => decode(screenshot));
  const [first] = pictures;
  if (first === undefined) throw new Error('An animation needs a frame.');
  const { palette, indexOf } = paletteOf(pictures);
  let sequence = 0;
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames.length, 0);
  const parts = [chunk('acTL', control)];
  for (const [index, picture] of pictures.entries()) {
    const before = pictures[index - 1];
    const area = before === undefined ? whole(picture) : changed(before, picture);
    parts.push(chunk('fcTL', frameControl(sequence++, area, frames[index]?.milliseconds ?? 0)));
    const data = pixels(picture, area, indexOf);
    if (before === undefined) parts.push(chunk('IDAT', data));
    else {
      const number = Buffer.alloc(4);
      number.writeUInt32BE(sequence++, 0);
      parts.push(chunk('fdAT', Buffer.concat([number, data])));
    }
  }
  return file(first, palette, parts);
}

/** @param {number} sequence @param {import('./png.mjs').Area} area @param {number} milliseconds */
function frameControl(sequence, { x, y, width, height }, milliseconds) {
  const control = Buffer.alloc(26);
  for (const [at, value] of [sequence, width, height, x, y].entries()) control.writeUInt32BE(value, at * 4);
  control.writeUInt16BE(milliseconds, 20);
  control.writeUInt16BE(THOUSANDTHS, 22);
  return control;
}

/** The smallest area with all pixels that differ. @param {import('./png.mjs').Picture} before @param {import('./png.mjs').Picture} after */
function changed(before, after) {
  const { width, height } = after;
  if (before.width !== width || before.height !== height) throw new Error('The frames differ in size.');
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let at = 0; at < after.colors.length; at += 1) {
    if (after.colors[at] === before.colors[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  // A frame without a change still needs a pixel.
  if (right === 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}
