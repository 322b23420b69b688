import { expect, it } from 'vitest';
import { bytes, paths, type Subject } from './subject.contract';

/** What every backend does with the arguments of a call: paths, types, a signal and a time limit. */
export function describeCalls(on: Subject): void {
  it('treats glob characters in paths as literal [H9]', async () => {
    for (const file of ['/x[1]*/a', '/x1y/a']) await on.backend.write(on.at(file), 'x');
    expect(paths(await on.backend.ls(on.at('/x[1]*')))).toEqual([on.at('/x[1]*/a')]);
    await on.backend.delete?.(on.at('/x[1]*'));
    expect((await on.backend.read(on.at('/x1y/a'))).content).toBe('x');
  });

  it('rejects invalid paths [P1, P2, P3, P12, P13, P16, P18, P19, P23, P24, P25, P26, P28, P34, P35, P39]', async () => {
    const wrong: unknown[] = [
      '/../o',
      '/a/../../o',
      '/a/../b',
      '~/x',
      '~root/x',
      'file:///etc/passwd',
      '',
      '  ',
      'C:\\x',
      'C:x',
      '/C:/x',
      '\\\\srv\\s\\x',
      '\\\\.\\pipe\\x',
      `/${'n'.repeat(256)}`,
      `/${'n/'.repeat(2_500)}`,
      '/a\0b',
      12,
      ['/a'],
      { path: '/a' },
      null,
    ];
    for (const path of wrong) {
      const asked = path as string;
      const kinds = [
        (await on.backend.read(asked)).kind,
        (await on.backend.write(asked, 'x')).kind,
        (await on.backend.edit(asked, 'a', 'b')).kind,
        (await on.backend.delete?.(asked))?.kind,
        (await on.backend.ls(asked)).kind,
        (await on.backend.uploadFiles?.([[asked, bytes(1)]]))?.[0]?.error === null,
      ];
      expect([asked, kinds.filter((kind) => kind !== 'invalid' && kind !== 'denied')]).toEqual([
        asked,
        [false],
      ]);
    }
  });

  it('treats unusual names as literal [P5, P7, P8, P9, P11, P14, P15, P33]', async () => {
    const longest = 'n'.repeat(255);
    const names = ['...', '%2e%2e', '..%2fO', '..;', 'a~b', '$HOME', 'a..b.txt', 'ü', longest];
    for (const name of names) {
      expect((await on.backend.read(on.at(`/${name}`))).kind).toBe('not_found');
      expect(await on.backend.write(on.at(`/./n//${name}`), name)).toMatchObject({
        path: on.at(`/n/${name}`),
      });
      expect((await on.backend.read(on.at(`/n/${name}/`))).content).toBe(name);
    }
  });

  it('lists and searches the root, and rejects every other operation on it [P20]', async () => {
    const root = on.at('/');
    expect((await on.backend.read(root)).kind).toBe('invalid');
    expect((await on.backend.write(root, 'x')).kind).toBe('invalid');
    expect(['invalid', 'denied']).toContain((await on.backend.delete?.(root))?.kind);
    expect((await on.backend.ls(root)).error).toBeUndefined();
  });

  it('rejects every call that is already aborted, with the reason, and changes nothing', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await on.backend.write(on.at('/a.txt'), 'x');
    const options = { signal };
    const calls: (() => Promise<unknown> | undefined)[] = [
      () => on.backend.ls(on.at('/'), options),
      () => on.backend.read(on.at('/a.txt'), 0, 1, options),
      () => on.backend.readRaw(on.at('/a.txt'), options),
      () => on.backend.grep('x', on.at('/'), null, null, options),
      () => on.backend.glob('*', on.at('/'), options),
      () => on.backend.write(on.at('/a.txt'), 'y', options),
      () => on.backend.edit(on.at('/a.txt'), 'x', 'y', false, options),
      () =>
        on.backend.delete === undefined
          ? Promise.reject(signal.reason)
          : on.backend.delete(on.at('/a.txt'), options),
      () => on.backend.uploadFiles?.([[on.at('/a.txt'), bytes(1)]], options) ?? Promise.reject(signal.reason),
      () => on.backend.downloadFiles?.([on.at('/a.txt')], options) ?? Promise.reject(signal.reason),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow('stopped');
    expect((await on.backend.read(on.at('/a.txt'))).content).toBe('x');
  });

  it('reports a time limit of zero, and changes nothing', async () => {
    await on.backend.write(on.at('/a.txt'), 'x');
    const none = { timeoutMs: 0 };
    const kinds = [
      (await on.backend.ls(on.at('/'), none)).kind,
      (await on.backend.read(on.at('/a.txt'), 0, 1, none)).kind,
      (await on.backend.readRaw(on.at('/a.txt'), none)).kind,
      (await on.backend.write(on.at('/a.txt'), 'y', none)).kind,
      (await on.backend.edit(on.at('/a.txt'), 'x', 'y', false, none)).kind,
      on.backend.delete === undefined ? 'timeout' : (await on.backend.delete(on.at('/a.txt'), none)).kind,
    ];
    expect(kinds).toEqual(kinds.map(() => 'timeout'));
    expect((await on.backend.grep('x', on.at('/'), null, null, none)).truncated).toBe(true);
    expect((await on.backend.glob('*', on.at('/'), none)).truncated).toBe(true);
    const late = { path: on.at('/b.dat'), error: 'permission_denied', kind: 'timeout' };
    if (on.backend.uploadFiles && on.backend.downloadFiles) {
      expect(await on.backend.uploadFiles([[on.at('/b.dat'), bytes(1)]], none)).toEqual([late]);
      expect((await on.backend.downloadFiles([on.at('/b.dat')]))[0]?.error).toBe('file_not_found');
      expect(await on.backend.downloadFiles([on.at('/b.dat')], none)).toEqual([{ ...late, content: null }]);
    }
    const enough = { timeoutMs: 60_000 };
    if (on.backend.uploadFiles && on.backend.downloadFiles) {
      const [stored] = await on.backend.uploadFiles([[on.at('/b.dat'), bytes(1)]], enough);
      expect(stored).toEqual({ path: on.at('/b.dat'), error: null });
      expect((await on.backend.downloadFiles([on.at('/b.dat')], enough))[0]?.content).toEqual(bytes(1));
    }
    expect((await on.backend.read(on.at('/a.txt'), 0, 1, enough)).content).toBe('x');
    expect((await on.backend.write(on.at('/a.txt'), 'z', enough)).error).toBeUndefined();
    expect((await on.backend.grep('z', on.at('/'), null, null, enough)).truncated).toBe(false);
  });

  it('reports arguments of the wrong type as invalid, and never throws', async () => {
    await on.backend.write(on.at('/a.txt'), 'x');
    /** Models may pass any value anywhere: lets a test pass one where another type is expected. */
    const odd = <T>(value: unknown) => value as T;
    const wrong: [string, () => Promise<{ kind?: string }>][] = [
      ['ls offset', () => on.backend.ls(on.at('/'), { offset: odd<number>('1') })],
      ['ls limit', () => on.backend.ls(on.at('/'), { limit: Number.NaN })],
      ['ls options', () => on.backend.ls(on.at('/'), odd<object>('all'))],
      ['read offset', () => on.backend.read(on.at('/a.txt'), odd<number>('1'))],
      ['read limit', () => on.backend.read(on.at('/a.txt'), 0, odd<number>({}))],
      ['read column', () => on.backend.read(on.at('/a.txt'), 0, 1, { column: odd<number>('x') })],
      ['read time', () => on.backend.read(on.at('/a.txt'), 0, 1, { timeoutMs: odd<number>('1') })],
      ['grep pattern', () => on.backend.grep(odd<string>(12), on.at('/'))],
      ['grep path', () => on.backend.grep('x', odd<string>(['/']))],
      ['grep glob', () => on.backend.grep('x', on.at('/'), odd<string>(5))],
      ['grep count', () => on.backend.grep('x', on.at('/'), null, odd<number>('many'))],
      ['grep regex', () => on.backend.grep('x', on.at('/'), null, null, { regex: odd<boolean>('yes') })],
      ['glob pattern', () => on.backend.glob(odd<string>(null), on.at('/'))],
      ['glob path', () => on.backend.glob('*', odd<string>({}))],
      ['write content', () => on.backend.write(on.at('/a.txt'), odd<string>(undefined))],
      ['write content', () => on.backend.write(on.at('/a.txt'), odd<string>({ text: 'x' }))],
      ['write version', () => on.backend.write(on.at('/a.txt'), 'y', { expectedVersion: odd<string>(7) })],
      ['edit old', () => on.backend.edit(on.at('/a.txt'), odd<string>(null), 'y')],
      ['edit new', () => on.backend.edit(on.at('/a.txt'), 'x', odd<string>(3))],
      ['edit all', () => on.backend.edit(on.at('/a.txt'), 'x', 'y', odd<boolean>('all'))],
    ];
    const kinds = [];
    for (const [what, call] of wrong) kinds.push([what, (await call()).kind]);
    expect(kinds).toEqual(wrong.map(([what]) => [what, 'invalid']));
    expect((await on.backend.read(on.at('/a.txt'))).content).toBe('x');
  });
}
