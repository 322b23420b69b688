import { ProjectId } from '@contract/ids';
import { type AppError, appError, fail, ok } from '@contract/result';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { translator } from '../../i18n';
import { errorIn } from '../../i18n/errors';
import { type Intent, onIntent, start } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { sampleApp } from '../../testing/samples';
import { copyIn } from './copy-in';
import { MAX_FILES } from './put-files';

const words = { t: translator('en'), errorWords: (error: AppError) => errorIn('en', error) };
const target = { projectId: ProjectId.parse('p1'), folder: '/project/docs' };

let host: FakeHost;
let stop: (() => void)[];
let told: Extract<Intent, { type: 'toast' }>[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  told = [];
  host = fakeHost(sampleApp(), [], {
    'files.list': () => ok({ entries: [], total: 0, nextOffset: null }),
    'files.put': ({ path, last }) => ok({ path: last ? path : null }),
    'files.trash': () => ok({ undo: null, failed: [] }),
  });
  stop = [
    start(host.port),
    onIntent((intent) => {
      if (intent.type === 'toast') told.push(intent);
    }),
  ];
});
afterEach(() => {
  for (const one of stop) one();
  vi.useRealTimers();
});

const file = (name: string) => new File(['text'], name);
const entryOf = (one: File) => ({
  isFile: true,
  isDirectory: false,
  name: one.name,
  file: (done: (f: File) => void) => done(one),
});
const folderOf = (name: string, entries: object[]) => ({
  isFile: false,
  isDirectory: true,
  name,
  createReader: () => {
    let left = entries;
    return {
      readEntries: (done: (some: object[]) => void) => {
        done(left);
        left = [];
      },
    };
  },
});
/** A drop of these entries. */
const dropOf = (...entries: object[]) =>
  ({
    items: entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry })),
    files: [],
  }) as unknown as DataTransfer;
const callsOf = (command: string) =>
  host.calls.filter((one) => one.command === command).map(({ input }) => input);

it('copies files and folders, and the undo moves a new folder and single files to the trash', async () => {
  const inner = folderOf('new', [entryOf(file('a.md')), entryOf(file('b.md'))]);
  await copyIn(dropOf(inner, entryOf(file('c.md'))), target, words);
  expect(callsOf('files.put')).toMatchObject([
    { path: '/project/docs/c.md' },
    { path: '/project/docs/new/a.md' },
    { path: '/project/docs/new/b.md' },
  ]);
  expect(told.map(({ message }) => message)).toEqual(['3 files copied']);
  told[0]?.undo?.();
  await vi.waitFor(() =>
    expect(callsOf('files.trash')).toMatchObject([{ paths: ['/project/docs/c.md', '/project/docs/new'] }]),
  );
});

it('says what was copied before an error, and undoes that', async () => {
  host.answers['files.put'] = ({ path }) =>
    path.endsWith('b.md') ? fail('storage', 'external', { text: 'The disk is full.' }) : ok({ path });
  await copyIn(dropOf(entryOf(file('a.md')), entryOf(file('b.md')), entryOf(file('c.md'))), target, words);
  expect(told.map(({ message }) => message)).toEqual(['The disk is full. 1 of 3 files copied.']);
  told[0]?.undo?.();
  await vi.waitFor(() => expect(callsOf('files.trash')).toMatchObject([{ paths: ['/project/docs/a.md'] }]));
});

it('says how far it is, and stops', async () => {
  host.answers['files.put'] = ({ path }) => {
    vi.advanceTimersByTime(1_000);
    told.at(-1)?.action?.run();
    return ok({ path });
  };
  await copyIn(dropOf(entryOf(file('a.md')), entryOf(file('b.md'))), target, words);
  expect(told.map(({ message }) => message)).toEqual(['0 of 2 files copied', '1 of 2 files copied.']);
  expect(callsOf('files.put')).toHaveLength(1);
});

it('says that a file cannot be read, and copies nothing of more files than it can', async () => {
  const unreadable = Object.assign(file('a.md'), { slice: () => null });
  await copyIn(dropOf(entryOf(unreadable)), target, words);
  const many = Array.from({ length: MAX_FILES + 1 }, (_, index) => entryOf(file(`${index}`)));
  await copyIn(dropOf(...many), target, words);
  const broken = {
    ...folderOf('x', []),
    createReader: () => ({ readEntries: (_: unknown, no: (e: Error) => void) => no(new Error()) }),
  };
  await copyIn(dropOf(broken), target, words);
  expect(told.map(({ message }) => message)).toEqual([
    "Couldn't read “a.md”.",
    'Nothing was copied: more than 5,000 files. Use your file manager.',
    "Nothing was copied: a folder in what you dropped can't be read.",
  ]);
  expect(callsOf('files.put')).toMatchObject([{ cancel: true }]);
});

it('says which copies could not go to the trash, and offers to put the others back', async () => {
  await copyIn(dropOf(entryOf(file('a.md')), entryOf(file('b.md'))), target, words);
  const error = appError('denied', { code: 'file_denied', values: { path: 'b.md' } });
  const failed = [{ path: '/project/docs/b.md', error }];
  host.answers['files.trash'] = () => ok({ undo: 'u', failed });
  told[0]?.undo?.();
  await vi.waitFor(() => expect(told).toHaveLength(2));
  const why = errorIn('en', error).message;
  expect(told[1]?.message).toBe(`${why} Moved 1 of 2 to the trash. Still there: b.md.`);
  host.answers['files.untrash'] = () => ok({});
  told[1]?.undo?.();
  await vi.waitFor(() => expect(callsOf('files.untrash')).toMatchObject([{ undo: 'u' }]));
});
