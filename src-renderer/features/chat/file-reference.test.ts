import { describe, expect, it } from 'vitest';
import { chosenFile, fileReference, withinProject } from './file-reference';

describe('a file named in a text', () => {
  it.each([
    ['src/a.ts', { path: 'src/a.ts' }],
    ['src/a.ts:12', { path: 'src/a.ts', line: 12 }],
    ['src/a.ts:12:5', { path: 'src/a.ts', line: 12 }],
    ['a.test.tsx:3-9', { path: 'a.test.tsx', line: 3 }],
    ['docs/b.md#L7-L9', { path: 'docs/b.md', line: 7 }],
    ['/src/routes/[id]/page.svelte', { path: '/src/routes/[id]/page.svelte' }],
    ['.gitignore', { path: '.gitignore' }],
    ['Makefile', { path: 'Makefile' }],
  ])('is read from %s', (text, expected) => expect(fileReference(text)).toEqual(expected));

  it.each(['npm test', '1.2.3', 'https://a.example/b.js', 'a => b', 'x', '--flag', 'git@host:12', 'Array'])(
    'is not read from %s',
    (text) => expect(fileReference(text)).toBeNull(),
  );

  it('is meant in the project, even by the whole path or with the folder as the root', () => {
    for (const path of ['src/a.ts', './src/a.ts', '/src/a.ts', '/home/me/api/src/a.ts'])
      expect(withinProject(path, '/home/me/api')).toBe('src/a.ts');
  });

  it('is the exact path, or the only one that ends with the name', () => {
    expect(chosenFile(['src/a.ts', 'a.ts', 'lib/src/a.ts'], 'a.ts')).toBe('a.ts');
    expect(chosenFile(['src/a.ts', 'src/aa.ts'], 'a.ts')).toBe('src/a.ts');
    expect(chosenFile(['src/a.ts', 'lib/a.ts'], 'a.ts')).toBeNull();
  });
});
