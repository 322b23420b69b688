import { expect, it } from 'vitest';
import { asar } from './asar.mjs';

it('writes a header that locates each file', () => {
  const files = { 'package.json': '{"main":"main.js"}', 'main.js': "console.log('ü')" };
  const archive = asar(files);

  const header = JSON.parse(archive.toString('utf8', 16, 16 + archive.readUInt32LE(12)));
  const bodies = 8 + archive.readUInt32LE(4);
  const read = Object.entries<{ size: number; offset: string }>(header.files).map(
    ([name, { size, offset }]) => {
      const from = bodies + Number(offset);
      return [name, archive.toString('utf8', from, from + size)];
    },
  );

  expect(Object.fromEntries(read)).toEqual(files);
  expect(archive.readUInt32LE(0)).toBe(4);
});
