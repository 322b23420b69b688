import { mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { openDatabase } from '../../storage/database/open';
import { newDatabase } from '../../storage/testing/new-database';
import { SqliteStore } from '../storage/sqlite/store/store';
import { CompositeBackend } from './composite';
import { FilesystemBackend } from './filesystem';
import { PolicyBackend } from './policy/policy';
import type { BackendProtocol, LsResult } from './protocol';
import { StoreBackend } from './store/store';
import { state } from './testing/state';

/** Few names, so that files and folders collide: some hidden, some with characters that have a meaning elsewhere. */
const name = fc.constantFrom('a', 'b.txt', '.h', 'x[1]*', 'ü', 'c d.md', '日本.txt', 'e\u0301', '😀');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`);
const text = fc.oneof(
  fc.constantFrom('', 'one', 'one\ntwo\n', 'one\r\ntwo\r\n', '\uFEFFtwo', 'two two', '$& (two) [a]'),
  fc
    .array(fc.constantFrom('one', 'two', '', 'ü$1', '日本 😀'), { maxLength: 6 })
    .map((lines) => lines.join('\n')),
);
const pattern = fc.constantFrom(
  '*',
  '**',
  '*.txt',
  '**/b.txt',
  'a/*',
  '/a/**',
  '{a,ü}/**/*',
  '.h',
  '[a-c]*',
  '[!a]*',
  '日*',
  '?',
  '**/*.{txt,md}',
);

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('write' as const), path, text, create: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      path,
      from: fc.constantFrom('', 'one', 'two', 'one\ntwo', '$'),
      text,
      all: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), path }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('read' as const), path, offset: fc.nat(4), limit: fc.nat(4) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('ls' as const),
      path: fc.oneof(path, fc.constant('/')),
      offset: fc.nat(2),
      limit: fc.nat(3),
      // Read every following page too.
      all: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('glob' as const),
      path: fc.oneof(path, fc.constant('/')),
      pattern,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('grep' as const),
      path: fc.oneof(path, fc.constant('/')),
      text: fc.constantFrom('one', 'two', '$', 'ü', '(two)', '日本'),
      glob: fc.option(pattern),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const sorted = (paths: string[] | undefined) => paths?.sort();

/** Backends with keys only have no empty folders, so the disk drops them after each step. */
function dropEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    dropEmptyFolders(join(folder, entry.name));
    if (readdirSync(join(folder, entry.name)).length === 0) rmdirSync(join(folder, entry.name));
  }
}

/** Nothing is below a file: some backends report `special`, some `not_found`. */
const said = (kind: string | undefined) => (kind === 'special' ? 'not_found' : kind);

/** What a person or a model sees of one step: no times, and only the kind of a failure. */
async function play(backend: BackendProtocol, at: string, one: Step): Promise<unknown> {
  const p = (inner: string) => (inner === '/' && at !== '' ? at : `${at}${inner}`);
  const bare = (whole: string) => whole.slice(at.length);
  switch (one.do) {
    case 'write': {
      const { error, kind } = await backend.write(p(one.path), one.text, { createOnly: one.create });
      return error === undefined ? 'written' : said(kind);
    }
    case 'edit': {
      const done = await backend.edit(p(one.path), one.from, one.text, one.all);
      return done.error === undefined ? done.occurrences : said(done.kind);
    }
    case 'delete': {
      const done = await backend.delete?.(p(one.path));
      return done?.error === undefined ? 'gone' : said(done.kind);
    }
    case 'read': {
      const page = await backend.read(p(one.path), one.offset, one.limit);
      if (page.error !== undefined) return said(page.kind);
      const { content, totalLines, nextOffset, size, version } = page;
      return { content, totalLines, nextOffset, size, version };
    }
    case 'ls': {
      const pages: unknown[] = [];
      for (let offset: number | undefined = one.offset; offset !== undefined; ) {
        const limit = one.all ? one.limit + 1 : one.limit;
        const listed: LsResult = await backend.ls(p(one.path), { offset, limit });
        if (listed.error !== undefined) return said(listed.kind);
        // Each backend chooses the size of a folder.
        pages.push(listed.files?.map((file) => [bare(file.path), file.is_dir ? 'folder' : file.size]));
        pages.push([listed.nextOffset, listed.truncated ?? false]);
        offset = one.all ? listed.nextOffset : undefined;
      }
      return pages;
    }
    case 'glob': {
      const found = await backend.glob(one.pattern, p(one.path));
      return found.error === undefined
        ? sorted(found.files?.map((file) => bare(file.path)))
        : said(found.kind);
    }
    case 'grep': {
      const found = await backend.grep(one.text, p(one.path), one.glob);
      if (found.error !== undefined) return said(found.kind);
      return sorted(found.matches?.map((match) => `${bare(match.path)}:${match.line}:${match.text}`));
    }
    default:
      return one satisfies never;
  }
}

/** Every file below the root with its whole text. Backends with keys only do not see empty folders. */
async function tree(backend: BackendProtocol, at: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  const open = [at === '' ? '/' : at];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const file of (await backend.ls(folder)).files ?? [])
      if (file.is_dir) open.push(file.path);
      else found[file.path.slice(at.length)] = (await backend.readRaw(file.path)).data?.content;
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('random operations', () => {
  it('give the same visible result on every backend', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const folder = mkdtempSync(join(tmpdir(), 'deepdesk-fuzz-'));
        const file = join(folder, 'db.sqlite');
        newDatabase(file);
        const opened = openDatabase(file);
        if (!opened.ok) throw new Error(inEnglish(opened.error));
        const root = mkdtempSync(join(folder, 'root-'));
        try {
          const store = new SqliteStore(opened.value.db);
          const backends: [string, BackendProtocol, string][] = [
            ['State', state(), ''],
            ['Store', new StoreBackend({ store, namespace: ['a'] }), ''],
            ['Composite default', new CompositeBackend(state(), {}), ''],
            [
              'Composite route',
              new CompositeBackend(state(), { '/work/': new StoreBackend({ store, namespace: ['b'] }) }),
              '/work',
            ],
            ['Policy', new PolicyBackend(state(), { denyPrefixes: ['/denied'] }), ''],
            ['Filesystem', new FilesystemBackend({ rootDir: root }), ''],
          ];
          for (const one of steps) {
            const seen: Record<string, unknown> = {};
            for (const [title, backend, at] of backends) seen[title] = await play(backend, at, one);
            dropEmptyFolders(root);
            const first = seen.State;
            expect([one, seen]).toEqual([one, Object.fromEntries(backends.map(([title]) => [title, first]))]);
          }
          const first = await tree(backends[0]?.[1] ?? state(), '');
          for (const [title, backend, at] of backends)
            expect([title, await tree(backend, at)]).toEqual([title, first]);
        } finally {
          opened.value.db.close();
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 60, interruptAfterTimeLimit: 20_000 },
    );
  }, 60_000);
});
