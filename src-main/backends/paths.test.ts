import { describe, expect, it } from 'vitest';
import { isFailure } from './failure';
import { checkPath, isWithin } from './paths';

const kind = (path: unknown, platform = 'linux') => {
  const at = checkPath(path, undefined, platform);
  return isFailure(at) ? at.kind : at.path;
};

describe('a path', () => {
  it('is made canonical', () => {
    expect(checkPath('/./a//b/')).toEqual({ path: '/a/b', segments: ['a', 'b'] });
    expect(checkPath('a\\b')).toEqual({ path: '/a/b', segments: ['a', 'b'] });
    expect(checkPath('/')).toEqual({ path: '/', segments: [] });
  });

  it('says why it is refused', () => {
    const error = (path: unknown) => {
      const at = checkPath(path);
      return isFailure(at) ? at.error : null;
    };
    expect(error('/a/../b')).toBe('Path traversal not allowed: /a/../b');
    expect(error('~/x')).toBe('Path traversal not allowed: ~/x');
    expect(error('C:\\x')).toBe('Windows absolute paths are not supported: C:\\x');
    expect(error(' ')).toBe('Path cannot be empty');
    expect(error(null)).toBe('Path must be a string, got null.');
    const outside = checkPath('/b/x', ['/a/', '/c/']);
    expect(outside).toEqual({ error: 'Path must start with one of ["/a/", "/c/"]: /b/x', kind: 'denied' });
    expect(checkPath('/a2/x', ['/a/'])).toMatchObject({ kind: 'denied' });
  });

  it('P21 is refused when it climbs by backslashes', () => expect(kind('..\\o')).toBe('invalid'));

  it('P30 P31 P32 follows the rules for names of the system', () => {
    for (const path of ['/CON', '/nul.txt', '/f:stream', '/f.', '/f ', '/a/com1.log', '/a?b']) {
      expect([path, kind(path, 'win32')]).toEqual([path, 'invalid']);
      expect([path, kind(path)]).toEqual([path, path]);
    }
    expect(kind('/console', 'win32')).toBe('/console');
  });

  it('P33 P34 counts the bytes of a name', () => {
    expect(kind(`/${'é'.repeat(127)}x`)).toBe(`/${'é'.repeat(127)}x`);
    expect(kind(`/${'é'.repeat(128)}`)).toBe('invalid');
  });

  it('is within a prefix by whole names', () => {
    expect([
      isWithin('/a/b', '/a/'),
      isWithin('/a', '/a/'),
      isWithin('/a2', '/a'),
      isWithin('/x', '/'),
    ]).toEqual([true, true, false, true]);
  });
});
