import { describe, expect, it } from 'vitest';
import { isFailure } from './failure';
import { checkPath } from './paths';

const kind = (path: unknown, platform = 'linux') => {
  const at = checkPath(path, undefined, platform);
  return isFailure(at) ? at.kind : at.path;
};

describe('path checks', () => {
  it('make a path canonical', () => {
    expect(checkPath('/./a//b/')).toEqual({ path: '/a/b', segments: ['a', 'b'] });
    expect(checkPath('a\\b', undefined, 'win32')).toEqual({ path: '/a/b', segments: ['a', 'b'] });
    expect(checkPath('/')).toEqual({ path: '/', segments: [] });
  });

  it('say why they reject a path', () => {
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

  it('reject a path that climbs with backslashes [P21]', () => expect(kind('..\\o')).toBe('invalid'));

  it('treat a backslash as part of a name, except on Windows [safety 31]', () => {
    for (const path of ['/a\\b', '/a\\', '/a/\\b', '/a\\\\b', '/a\\xg1', '/\\x5cxff'])
      expect(kind(path)).toBe(path);
    expect(kind('/a\\b', 'win32')).toBe('/a/b');
    for (const path of ['/a\\..\\b', '/..\\b', '/b\\..']) expect(kind(path)).toBe('invalid');
  });

  it('have one text for each name, whose bytes need not be UTF-8 [safety 31]', () => {
    for (const path of ['/b\\xffd', '/\\xc3a', '/\\xc3\\x28', '/..\\x5cb', '/\\xed\\xa0\\x80'])
      expect([path, kind(path)]).toEqual([path, path === '/\\xc3\\x28' ? 'invalid' : path]);
    // As a name is displayed, or with the digits written differently.
    expect(kind('/b\\xFFd')).toBe('/b\\xffd');
    expect(kind('/a\\x5cnb')).toBe('/a\\nb');
    // These would be another text for `é`, `A`, `..`, or no name.
    for (const path of ['/\\xc3\\xa9', '/\\x41', '/\\x2e\\x2e', '/a\\x2fb', '/a\\x00', '/\\x2E\\x2e/b'])
      expect([path, kind(path)]).toEqual([path, 'invalid']);
  });

  it('reject half a character, which would be the same name as another half [safety 31]', () => {
    for (const path of ['/a\ud800', '/\udc00b', '/\ud83d/x', '/\udcff'])
      expect([path, kind(path), kind(path, 'win32')]).toEqual([path, 'invalid', 'invalid']);
    expect(kind('/\ud83d\ude00')).toBe('/\ud83d\ude00');
  });

  it('reject Windows paths in all their forms elsewhere too [safety 31]', () => {
    const forms = [
      'C:\\x',
      'c:x',
      '/C:/x',
      '\\\\srv\\s',
      '\\x',
      '//?/C:/x',
      '//./pipe/x',
      '///?/x',
      '//?',
      '\\\\?\\C:\\x',
    ];
    for (const path of forms)
      expect([path, checkPath(path)]).toEqual([
        path,
        { kind: 'invalid', error: `Windows absolute paths are not supported: ${path}` },
      ]);
    expect(kind('/?/C:')).toBe('/?/C:');
  });

  it("follow the system's rules for names [P30, P31, P32]", () => {
    for (const path of ['/CON', '/nul.txt', '/f:stream', '/f.', '/f ', '/a/com1.log', '/a?b']) {
      expect([path, kind(path, 'win32')]).toEqual([path, 'invalid']);
      expect([path, kind(path)]).toEqual([path, path]);
    }
    expect(kind('/console', 'win32')).toBe('/console');
  });

  it('count the bytes of a name [P33, P34]', () => {
    expect(kind(`/${'é'.repeat(127)}x`)).toBe(`/${'é'.repeat(127)}x`);
    expect(kind(`/${'é'.repeat(128)}`)).toBe('invalid');
  });
});
