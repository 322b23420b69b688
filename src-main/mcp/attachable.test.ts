import { expect, it } from 'vitest';
import { fileOf } from './attachable';

it.each([
  ['demo://docs/features.md', 'text/markdown', 'features.md'],
  ['book://one', 'text/plain', 'one.txt'],
  ['file:///a/b.json?x=1#y', undefined, 'b.json'],
  ['urn:note', 'application/json', 'note.json'],
])('names the file of %s', (uri, mimeType, name) => {
  const { name: found } = fileOf(uri, [{ uri, text: 'Once.', ...(mimeType ? { mimeType } : {}) }]);
  expect(found).toBe(name);
});

it('joins several texts with their addresses and keeps one binary content', () => {
  const texts = [
    { uri: 'a://1', text: 'One.' },
    { uri: 'a://2', text: 'Two.' },
  ];
  expect(fileOf('a://all', texts)).toEqual({
    name: 'all.txt',
    bytes: Buffer.from('[a://1]\nOne.\n[a://2]\nTwo.'),
    isText: true,
  });
  expect(fileOf('a://x', [{ uri: 'a://x', blob: 'iVBO', mimeType: 'image/png' }])).toEqual({
    name: 'x.png',
    bytes: Buffer.from('iVBO', 'base64'),
    isText: false,
  });
});
