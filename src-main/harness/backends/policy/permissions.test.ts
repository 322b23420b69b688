import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { adaptBackendProtocol } from '../adapt';
import { describeBackend } from '../backend.contract';
import { CompositeBackend } from '../composite';
import { FilesystemBackend } from '../filesystem';
import type { BackendProtocol, FileData } from '../protocol';
import { StateBackend } from '../state';
import { state } from '../testing/state';
import { canHoldRules, type FilesystemPermission, PermissionBackend, PermissionRules } from './permissions';
import { PolicyBackend } from './policy';

describeBackend('PermissionBackend', async () => ({
  backend: new PermissionBackend(state(), [
    { operations: ['read', 'write'], paths: ['/no/way/**'], mode: 'deny' },
  ]),
}));

const deny = (...paths: string[]): FilesystemPermission => ({
  operations: ['read', 'write'],
  paths,
  mode: 'deny',
});
const allow = (...paths: string[]): FilesystemPermission => ({ operations: ['read', 'write'], paths });

const filled = async (permissions: FilesystemPermission[], ...paths: string[]) => {
  const inner = state();
  for (const path of paths) await inner.write(path, `text of ${path}`);
  const linked: BackendProtocol = Object.assign(Object.create(inner), {
    realPath: async (path: string) => path.replace(/^\/pub(?=\/|$)/, '/secrets'),
  });
  return { inner, backend: new PermissionBackend(linked, permissions) };
};

const found = (result: { files?: { path: string }[]; matches?: { path: string }[] }) =>
  (result.files ?? result.matches)?.map((entry) => entry.path);

describe('path rules', () => {
  it('are rejected on creation if a glob is invalid', () => {
    const make = (glob: string) => () => new PermissionRules([deny(glob)]);
    expect(make('a/**')).toThrow('path must be absolute: "a/**"');
    expect(make('/a/../b')).toThrow('path must not contain ".."');
    expect(make('/~root/x')).toThrow('path must not contain "~"');
    expect(make('/a[')).toThrow('unclosed');
    expect(make('/a..b/~')).toThrow('"~"');
    expect(make('/a..b/c~d')).not.toThrow();
  });

  it('follow the first match, and allow if there is none', () => {
    const rules = new PermissionRules([
      allow('/work/public/**'),
      { operations: ['write'], paths: ['/work/**'], mode: 'interrupt' },
      deny('/work/private/*.{pem,key}'),
    ]);
    expect(rules.judge('write', '/work/public/a.key').mode).toBe('allow');
    expect(rules.judge('write', '/work/a')).toEqual({ mode: 'interrupt', rules: ['/work/**'] });
    expect(rules.judge('read', '/work/private/a.key').mode).toBe('deny');
    expect(rules.judge('read', '/work/private/a.txt')).toEqual({ mode: 'allow', rules: [] });
  });

  it('match names with a leading dot like others [weak point 2]', () => {
    const rules = new PermissionRules([deny('/secrets/**', '/*/*.key')]);
    for (const path of ['/secrets/.env', '/secrets/.a/.b', '/secrets', '/.ssh/.id.key'])
      expect([path, rules.judge('read', path).mode]).toEqual([path, 'deny']);
  });

  it('do not confuse a name with a longer one that starts with it [H37]', () => {
    const rules = new PermissionRules([deny('/workspace/**')]);
    expect(rules.judge('read', '/workspace/x').mode).toBe('deny');
    expect(rules.judge('read', '/workspace2').mode).toBe('allow');
    expect(rules.judge('read', '/workspace2/x').mode).toBe('allow');
  });
});

describe('PermissionBackend', () => {
  it('checks one canonical path and uses it [weak point 2]', async () => {
    const { backend } = await filled([deny('/secrets/**')], '/secrets/k', '/a');
    for (const path of ['/secrets/k', '/secrets/./k', '//secrets///k', '/./secrets/k'])
      expect(await backend.read(path)).toEqual({
        error: 'Error: permission denied for read on /secrets/k',
        kind: 'denied',
      });
    expect((await backend.write('/secrets/./new', 'x')).error).toBe(
      'Error: permission denied for write on /secrets/new',
    );
    expect((await backend.edit('/secrets//k', 'text', 'x')).kind).toBe('denied');
    expect((await backend.readRaw('/secrets/./k')).kind).toBe('denied');
    expect((await backend.downloadFiles(['/secrets/./k']))[0]?.error).toBe('permission_denied');
    expect((await backend.read('/a')).content).toBe('text of /a');
  });

  it('lets no link bypass a rule [weak point 2]', async () => {
    const { backend } = await filled([deny('/secrets/*.key')], '/secrets/a.key');
    expect((await backend.read('/pub/a.key')).kind).toBe('denied');
    expect((await backend.write('/pub/b.key', 'x')).kind).toBe('denied');
  });

  it('filters names that are relative to the searched folder [weak point 2]', async () => {
    const inner: BackendProtocol = Object.assign(Object.create(state()), {
      glob: async () => ({ files: [{ path: '.env' }, { path: 'k/../.env' }, { path: 'open.txt' }] }),
    });
    const backend = new PermissionBackend(inner, [deny('/secrets/.env')]);
    expect(found(await backend.glob('*', '/secrets'))).toEqual(['open.txt']);
  });

  it('filters results before they are cut [weak point 7]', async () => {
    const { backend } = await filled([deny('/a/**')], '/a/1', '/a/2', '/a/3', '/b/4', '/b/5');
    expect(found(await backend.grep('text', '/', null, 2))).toEqual(['/b/4', '/b/5']);
    expect((await backend.grep('text', '/', null, 2)).truncated).toBe(false);
    expect((await backend.grep('text', '/', null, 1)).truncated).toBe(true);
    expect(found(await backend.glob('**'))).toEqual(['/b/4', '/b/5']);
    expect(await backend.ls('/', { limit: 1 })).toMatchObject({ files: [{ path: '/b/' }], total: 1 });
    expect((await backend.ls('/a')).kind).toBe('denied');
  });

  it('deletes no directory that contains a denied path, whatever the order of the rules [H38]', async () => {
    const { inner, backend } = await filled(
      [allow('/home/**'), deny('/home/*/keys/**', '/**/.env')],
      '/home/me/keys/k',
      '/home/me/a.txt',
    );
    expect(await backend.delete?.('/home/me')).toEqual({
      error:
        'Error: permission denied for write on /home/me (matches deny rule(s): /home/*/keys/**, /**/.env)',
      kind: 'denied',
    });
    expect((await backend.delete?.('/home'))?.kind).toBe('denied');
    // Nothing is below a file, so the first rule decides.
    expect(await backend.delete?.('/home/me/a.txt')).toEqual({ path: '/home/me/a.txt', filesUpdate: null });
    expect((await inner.read('/home/me/keys/k')).content).toBe('text of /home/me/keys/k');
  });

  it('deletes nothing below a name that is also a file, if a rule denies it', async () => {
    // A store that another program filled: a file's key, and keys below it.
    const data = { content: 'x', mimeType: 'text/plain', created_at: '', modified_at: '' };
    const held: Record<string, FileData> = { '/notes/item': data, '/notes/item/secrets/k': data };
    const inner = new StateBackend({
      files: { read: () => held, send: (update) => Object.assign(held, update) },
    });
    const backend = new PermissionBackend(inner, [deny('/notes/item/secrets/**')]);
    expect((await backend.delete?.('/notes/item'))?.kind).toBe('denied');
    expect(held).toEqual({ '/notes/item': data, '/notes/item/secrets/k': data });
  });

  it('deletes no directory below a denied one', async () => {
    const { backend } = await filled(
      [deny('/notes/*', '/plain')],
      '/notes/a/b/c',
      '/plain/d/e',
      '/other/f/g',
    );
    expect((await backend.delete?.('/notes/a/b'))?.kind).toBe('denied');
    expect((await backend.delete?.('/plain/d'))?.kind).toBe('denied');
    expect((await backend.delete?.('/other/f'))?.error).toBeUndefined();
  });

  it('treats an interrupt as a denial unless the person was asked before', async () => {
    const rule: FilesystemPermission = { operations: ['write'], paths: ['/a/**'], mode: 'interrupt' };
    expect((await new PermissionBackend(state(), [rule]).write('/a/x', 'x')).kind).toBe('denied');
    const asked = new PermissionBackend(state(), [rule], { interrupt: 'allow' });
    expect((await asked.write('/a/x', 'x')).error).toBeUndefined();
  });

  it('applies only to routes that commands cannot see, by whole names [H37]', async () => {
    const shell = Object.assign(Object.create(state()), {
      id: 'shell',
      execute: async () => ({ output: 'ran', exitCode: 0, truncated: false }),
    });
    const holds = (backend: BackendProtocol, glob: string) =>
      canHoldRules(backend, new PermissionRules([deny(glob)]));
    const routed = new CompositeBackend(shell, { '/workspace/': state() });
    expect(holds(shell, '/a/**')).toBe(false);
    expect(holds(routed, '/workspace/**')).toBe(true);
    expect(holds(routed, '/workspace2/**')).toBe(false);
    expect(holds(routed, '/work*/**')).toBe(false);
    const mounted = new CompositeBackend(state(), { '/work/': shell, '/m/': state() }, { execute: shell });
    expect(holds(mounted, '/work/**')).toBe(false);
    expect(holds(mounted, '/m/**')).toBe(true);
    expect((await new PermissionBackend(shell, [deny('/a')]).execute('cat /a')).exitCode).toBe(1);
    expect((await new PermissionBackend(routed, [deny('/workspace/a')]).execute('ls')).output).toBe('ran');
  });

  it('spends no budget on denied files when ripgrep searches a folder [weak point 7]', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deepdesk-permissions-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const inner = new FilesystemBackend({ rootDir: folder });
    for (let n = 0; n < 40; n += 1) await inner.write(`/a/denied-${n}.txt`, 'needle\n'.repeat(5));
    for (const path of ['/b/1.txt', '/b/2.txt', '/c/3.txt']) await inner.write(path, 'needle');
    const backend = new PermissionBackend(inner, [deny('/a/**')]);
    const all = ['/b/1.txt', '/b/2.txt', '/c/3.txt'];
    const exact = await backend.grep('needle', '/', null, 3);
    expect([found(exact)?.sort(), exact.truncated]).toEqual([all, false]);
    const cut = await backend.grep('needle', '/', null, 2);
    expect([found(cut)?.length, cut.truncated]).toEqual([2, true]);
    expect(found(cut)?.every((path) => all.includes(path))).toBe(true);
    expect(found(await backend.ls('/', { limit: 1 }))).toEqual(['/b/']);
    expect(found(await backend.glob('*.txt'))?.sort()).toEqual(all);
    symlinkSync('a', join(folder, 'pub'));
    expect((await backend.read('/pub/denied-1.txt')).kind).toBe('denied');
    expect((await backend.grep('needle', '/pub')).kind).toBe('denied');
  });

  it('knows where commands run, however the backends are nested [H37]', async () => {
    const shell = Object.assign(Object.create(state()), {
      id: 'shell',
      execute: async () => ({ output: 'ran', exitCode: 0, truncated: false }),
    });
    const mounted = new CompositeBackend(state(), { '/work/': shell, '/m/': state() }, { execute: shell });
    const layers = [mounted, new PolicyBackend(mounted, {}), adaptBackendProtocol(mounted)];
    for (const backend of [...layers, adaptBackendProtocol(new PolicyBackend(mounted, {}))]) {
      expect(canHoldRules(backend, new PermissionRules([deny('/work/**')]))).toBe(false);
      expect(canHoldRules(backend, new PermissionRules([deny('/m/**')]))).toBe(true);
      expect((await new PermissionBackend(backend, [deny('/work/**')]).execute('ls')).exitCode).toBe(1);
    }
  });

  it('reports the number of omitted matches with the results', async () => {
    const inner: BackendProtocol = Object.assign(Object.create(state()), {
      grep: async () => ({ matches: [{ path: '/a', line: 1, text: 'x' }], truncated: false, omitted: 2 }),
    });
    const backend = new PermissionBackend(inner, [deny('/no/**')]);
    expect((await backend.grep('x', '/', null, 5)).omitted).toBe(2);
    expect((await backend.grep('x')).omitted).toBe(2);
  });

  it("reads nothing if a path's target is unknown [weak point 2]", async () => {
    const inner = state();
    await inner.write('/a', 'x');
    const unsure: BackendProtocol = Object.assign(Object.create(inner), {
      realPath: async (path: string) => `/..${path}`,
    });
    const backend = new PermissionBackend(unsure, [deny('/secrets/**')]);
    expect((await backend.read('/a')).kind).toBe('denied');
    expect((await backend.write('/a', 'y')).kind).toBe('denied');
    expect((await new PermissionBackend(unsure, []).read('/a')).content).toBe('x');
  });
});

describe('limits of a search under rules', () => {
  const rules = [deny('/no/**')];
  const bound = 2;
  /** Returns at most two files, as every backend has some limit. */
  const bounded = async () => {
    const inner = state();
    for (const path of ['/no/1', '/no/2', '/no/3', '/yes/4', '/yes/5']) await inner.write(path, 'text');
    const whole = inner.glob.bind(inner);
    inner.glob = async (pattern, path, options) => {
      const files =
        (await whole(pattern, path)).files?.filter((file) => options?.sees?.(file.path) ?? true) ?? [];
      return { files: files.slice(0, bound), truncated: files.length > bound };
    };
    return inner;
  };

  it('are not spent on hidden files', async () => {
    const found = async (backend: BackendProtocol, path = '/') => {
      const { files, truncated } = await backend.glob('**/*', path);
      return [files?.map((file) => file.path), truncated];
    };
    expect(await found(await bounded())).toEqual([['/no/1', '/no/2'], true]);
    expect(await found(new PermissionBackend(await bounded(), rules))).toEqual([['/yes/4', '/yes/5'], false]);
    const mounted = new CompositeBackend(state(), { '/m/': await bounded() });
    expect(await found(new PermissionBackend(mounted, [deny('/m/no/**')]))).toEqual([
      ['/m/yes/4', '/m/yes/5'],
      false,
    ]);
  });

  it('count only visible files in a file system', async () => {
    const root = mkdtempSync(join(tmpdir(), 'deepdesk-rules-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const fs = new FilesystemBackend({ rootDir: root });
    for (const path of ['/no/1', '/no/2', '/yes/3']) await fs.write(path, 'text');
    const sees = (path: string) => !path.startsWith('/no/');
    expect((await fs.glob('**/*', '/', { sees })).files?.map((file) => file.path)).toEqual(['/yes/3']);
    const { matches, truncated } = await fs.grep('text', '/', null, 1, { sees });
    expect([matches?.map((match) => match.path), truncated]).toEqual([['/yes/3'], false]);
  });
});
