import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { adaptBackendProtocol } from './adapt';
import { CompositeBackend } from './composite';
import { FilesystemBackend } from './filesystem';
import { PolicyBackend } from './policy/policy';
import type { BackendProtocol, WriteOptions } from './protocol';
import type { BackendV1, BackendV2 } from './published-protocol';
import { BaseSandbox } from './sandbox/base-sandbox';
import { StateBackend } from './state';
import { localBox } from './testing/local-box';
import { versionOf } from './text/text';

const bytes = (text: string) => new TextEncoder().encode(text);

/** A backend as programs for the published package write them: without kinds, versions and conditions. */
class Plain implements BackendV2 {
  readonly files = new Map<string, string>();
  async ls() {
    return { files: [] };
  }
  async read(path: string) {
    const content = this.files.get(path);
    return content === undefined ? { error: `File '${path}' not found` } : { content };
  }
  async readRaw(path: string) {
    const content = this.files.get(path);
    if (content === undefined) return { error: `File '${path}' not found` };
    return { data: { content, mimeType: 'text/plain', created_at: '', modified_at: '' } };
  }
  async grep() {
    return { matches: [] };
  }
  async glob() {
    return { files: [] };
  }
  async write(path: string, content: string) {
    this.files.set(path, content);
    return { path, filesUpdate: null };
  }
  async edit(path: string, from: string, to: string) {
    this.files.set(path, (this.files.get(path) ?? '').replace(from, to));
    return { path, filesUpdate: null, occurrences: 1 };
  }
  async delete(path: string) {
    this.files.delete(path);
    return { path, filesUpdate: null };
  }
  async uploadFiles(given: [string, Uint8Array][]) {
    for (const [path, content] of given) this.files.set(path, Buffer.from(content).toString());
    return given.map(([path]) => ({ path, error: null }));
  }
}

/** The same with the first protocol. */
function firstOf(plain: Plain): BackendV1 {
  return {
    lsInfo: async () => [],
    read: async (path) => (await plain.read(path)).content ?? 'Error: not found',
    readRaw: async (path) => {
      const { data } = await plain.readRaw(path);
      if (data === undefined) throw new Error(`File '${path}' not found`);
      return { ...data, content: data.content.split('\n') };
    },
    grepRaw: async () => [],
    globInfo: async () => [],
    write: (path, content) => plain.write(path, content),
    edit: (path, from, to) => plain.edit(path, from, to),
    delete: (path) => plain.delete(path),
    uploadFiles: (files) => plain.uploadFiles(files),
  };
}

type Made = {
  backend: BackendProtocol;
  at(name: string): string;
  put(name: string, text: string): void;
  text(name: string): string;
};

function onPlain(wrap: (plain: Plain) => BackendProtocol): Made {
  const plain = new Plain();
  return {
    backend: wrap(plain),
    at: (name) => `/${name}`,
    put: (name, text) => void plain.files.set(`/${name}`, text),
    text: (name) => plain.files.get(`/${name}`) ?? '',
  };
}

function onDisk(
  wrap: (folder: string) => BackendProtocol,
  at: (folder: string, name: string) => string,
): Made {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-checked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    backend: wrap(folder),
    at: (name) => at(folder, name),
    put: (name, text) => writeFileSync(join(folder, name), text),
    text: (name) => readFileSync(join(folder, name), 'utf8'),
  };
}

/** A sandbox of a provider, with the three methods that it needs. */
class Box extends BaseSandbox {
  override readonly id = 'box';
  readonly #client = localBox();
  override async execute(command: string) {
    return this.#client.execute(command);
  }
  override async uploadFiles(files: [path: string, content: Uint8Array][]) {
    return this.#client.uploadFiles(files);
  }
  override async downloadFiles(paths: string[]) {
    return this.#client.downloadFiles(paths);
  }
}

const KINDS: [string, () => Made][] = [
  ['of the second published protocol', () => onPlain(adaptBackendProtocol)],
  ['of the first published protocol', () => onPlain((plain) => adaptBackendProtocol(firstOf(plain)))],
  [
    'in a tree of backends',
    () => onPlain((plain) => new CompositeBackend(new StateBackend(), { '/plain/': plain })),
  ],
  ['behind a policy', () => onPlain((plain) => new PolicyBackend(plain, {}))],
  [
    'of a provider',
    () =>
      onDisk(
        () => new Box(),
        (folder, name) => `${folder}/${name}`,
      ),
  ],
  [
    'of this library, given to an agent',
    () =>
      onDisk(
        (rootDir) => adaptBackendProtocol(new FilesystemBackend({ rootDir })),
        (_, name) => `/${name}`,
      ),
  ],
];

describe.each(KINDS)('a change with a condition in a backend %s', (which, make) => {
  it('is made only if the condition is met', async () => {
    const { backend, put, text, ...made } = make();
    const at = which.includes('tree') ? (name: string) => `/plain/${name}` : made.at;
    const upload = async (name: string, content: string, options: WriteOptions) =>
      (await backend.uploadFiles?.([[at(name), bytes(content)]], options))?.[0];
    put('a', 'theirs');
    const old = { expectedVersion: versionOf('old') };
    const now = { expectedVersion: versionOf('theirs') };
    const isNew = { createOnly: true };
    expect(await upload('a', 'mine', old)).toMatchObject({
      path: at('a'),
      error: 'permission_denied',
      kind: 'stale',
    });
    expect(await upload('a', 'mine', isNew)).toMatchObject({ error: 'permission_denied', kind: 'conflict' });
    expect((await backend.write(at('a'), 'mine', old)).kind).toBe('stale');
    expect((await backend.write(at('a'), 'mine', isNew)).kind).toBe('conflict');
    expect((await backend.edit(at('a'), 'theirs', 'mine', false, old)).kind).toBe('stale');
    expect((await backend.delete?.(at('a'), old))?.kind).toBe('stale');
    expect(text('a')).toBe('theirs');
    expect(await upload('none', 'mine', old)).toMatchObject({ error: 'file_not_found' });
    expect(await upload('a', 'mine', now)).toEqual({ path: at('a'), error: null });
    expect(text('a')).toBe('mine');
    expect(await upload('b', 'new', isNew)).toEqual({ path: at('b'), error: null });
    expect(text('b')).toBe('new');
    expect((await backend.delete?.(at('a'), { expectedVersion: versionOf('mine') }))?.error).toBeUndefined();
  });
});
