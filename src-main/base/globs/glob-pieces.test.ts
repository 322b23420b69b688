import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from './glob';
import { globPieces } from './glob-pieces';

/** Matches as a store does. */
function has(path: string, { prefix, pieces }: ReturnType<typeof globPieces>): boolean {
  if (!path.startsWith(prefix)) return false;
  let rest = path.slice(prefix.length);
  for (const piece of pieces.slice(0, -1)) {
    const at = rest.indexOf(piece);
    if (at < 0) return false;
    rest = rest.slice(at + piece.length);
  }
  return rest.endsWith(pieces.at(-1) ?? '');
}

describe('globPieces', () => {
  it('extracts the literal parts', () => {
    expect(globPieces('**/note-*77.md')).toEqual({ prefix: '', pieces: ['note-', '77.md'] });
    expect(globPieces('/src/**/*.ts')).toEqual({ prefix: 'src/', pieces: ['.ts'] });
    expect(globPieces('*.{ts,tsx}')).toEqual({ prefix: '', pieces: ['.', ''] });
    expect(globPieces('a[]x]bb{c,\\}}d')).toEqual({ prefix: '', pieces: ['bb', 'd'] });
    expect(globPieces('src/\\*.ts')).toEqual({ prefix: 'src/*.ts', pieces: [] });
    expect(globPieces('name')).toEqual({ prefix: '', pieces: ['name'] });
  });

  it('never excludes a path that matches', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '/',
      '*',
      '**',
      '**/',
      '?',
      '[ab]',
      '[!a]',
      '[]a]',
      '{a,b/a}',
      '{a,{b,ab}}',
      '\\*',
      '\\a',
    );
    const pattern = fc.array(part, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(''));
    const path = fc.stringMatching(/^[ab*\]]([ab*/\]]{0,6}[ab*\]])?$/);
    fc.assert(
      fc.property(pattern, fc.array(path, { minLength: 30, maxLength: 30 }), (glob, paths) => {
        const matcher = compileGlob(glob);
        if ('error' in matcher) return;
        const pieces = globPieces(glob);
        for (const one of paths)
          if (matcher.matches(one)) expect([glob, one, has(one, pieces)]).toEqual([glob, one, true]);
      }),
      { numRuns: 3_000 },
    );
  });
});
