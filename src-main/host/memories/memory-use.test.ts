import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { openStorage } from '../../storage';
import { SHARED_NAMESPACE } from '../project/mounts';
import { temp } from '../testing/window';
import { Hub } from '../window/hub';
import { MarkedMemories, UNVERIFIED } from './marked-memories';
import { partsOf, previewOf, readMemories, writeMemories } from './memory-folder';
import { MemoryHistory } from './memory-history';
import { withChoices } from './memory-uses';

function open() {
  const opened = openStorage(join(temp('memory-use'), 'data.sqlite'));
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  onTestFinished(() => opened.value.close());
  return opened.value;
}

it('marks what the agent writes after outside content until the person confirms it', async () => {
  const storage = open();
  let met = false;
  const own = { namespace: SHARED_NAMESPACE, store: storage.store };
  const backend = new MarkedMemories(own, () => met);
  await backend.write('/clean.md', 'a');
  met = true;
  await backend.write('/doubtful.md', 'b');
  met = false;
  const notes = async () => [
    (await backend.read('/clean.md')).note,
    (await backend.readRaw('/doubtful.md')).note,
  ];
  expect(await notes()).toEqual([undefined, UNVERIFIED]);
  await backend.edit('/doubtful.md', 'b', 'c');
  expect(await notes()).toEqual([undefined, UNVERIFIED]);
  const item = await storage.store.get(SHARED_NAMESPACE, '/doubtful.md');
  const history = new MemoryHistory(storage, new Hub());
  const at = item?.updatedAt.getTime() ?? 0;
  expect(await history.confirm('/memories/shared/doubtful.md', at - 1, null)).toMatchObject({ ok: false });
  expect(await history.confirm('/memories/shared/doubtful.md', at, null)).toMatchObject({
    ok: true,
    value: { memory: { writtenBy: { by: 'person' } } },
  });
  expect(await notes()).toEqual([undefined, undefined]);
});

it('keeps versions to compare and restore', async () => {
  const { store, ...storage } = open();
  const history = new MemoryHistory({ ...storage, store }, new Hub());
  const put = (content: string) =>
    store.put(SHARED_NAMESPACE, '/a.md', { content, written_by: { by: 'person' } });
  await put('one\ntwo');
  await put('one\n2');
  await store.delete(SHARED_NAMESPACE, '/a.md');
  const found = await history.versions('/memories/shared/a.md', null);
  expect(found.ok && found.value.versions.map(({ version, size }) => [version, size])).toEqual([
    [3, null],
    [2, 5],
    [1, 7],
  ]);
  const compared = await history.compare('/memories/shared/a.md', { from: 1, to: 2 }, null);
  expect(
    compared.ok &&
      compared.value.hunks.flatMap(({ lines }) => lines).filter((line) => !line.startsWith('\\')),
  ).toEqual([' one', '-two', '+2']);
  expect(await history.restore('/memories/shared/a.md', 1, null)).toMatchObject({
    ok: true,
    value: { memory: { size: 7 } },
  });
  expect(await history.restore('/memories/shared/a.md', 3, null)).toMatchObject({
    ok: false,
    error: { kind: 'not_found' },
  });
  expect(await history.versions('/memories/shared/none.md', null)).toMatchObject({
    ok: false,
    error: { kind: 'not_found' },
  });
});

it('writes memories as Markdown and reads them back unchanged', async () => {
  const parent = temp('memories');
  const memories = [
    {
      key: '/team/people.md',
      text: '---\nnot: ours\n---\nAda\n',
      created: '2026-01-01T00:00:00.000Z',
      modified: '2026-01-02T00:00:00.000Z',
      author: { by: 'person' as const },
    },
  ];
  const folder = await writeMemories(parent, memories);
  expect(readFileSync(join(folder, 'team', 'people.md'), 'utf8')).toContain('by: person');
  expect(await readMemories(folder)).toEqual([{ path: '/memories/team/people.md', memory: memories[0] }]);
  expect(await writeMemories(parent, memories)).toBe(`${folder}-2`);
  expect(existsSync(`${folder}-2`)).toBe(true);
});

it('writes and reads back memories whose path no file can have, and any text', async () => {
  const dates = { created: '2026-01-01T00:00:00.000Z', modified: '2026-01-02T00:00:00.000Z', author: null };
  const texts: Record<string, string> = {
    '/a': 'beside a folder',
    '/a/b.md': 'in the folder',
    '/memory-1.md': 'a name that the export uses',
    '/.hidden': 'hidden',
    '/deep/.hidden/.md': 'hidden twice',
    [`/${'\\xff'.repeat(80)}.md`]: 'too long for a file',
    '/crlf.md': 'a\r\nb\r\n',
    '/mark.md': 'a \uFFFD b',
    '/large.md': '字'.repeat(900_000),
    '/empty.md': '',
    '/front.md': '---\nmodified: x\n---\n',
  };
  for (const keys of [Object.keys(texts), Object.keys(texts).toReversed()]) {
    const memories = keys.map((key) => ({ key, text: texts[key] ?? '', ...dates }));
    const read = await readMemories(await writeMemories(temp('memories'), memories));
    expect(Object.fromEntries(read.map(({ path, memory }) => [path, memory]))).toEqual(
      Object.fromEntries(memories.map((memory) => [`/memories${memory.key}`, memory])),
    );
  }
});

it('takes a path from front matter only if it is one of a memory that no other file has', async () => {
  const folder = temp('import');
  const write = (name: string, path: string) =>
    writeFileSync(join(folder, name), `---\npath: ${path}\nmodified: 2026-01-02T00:00:00.000Z\n---\n${name}`);
  write('1.md', '/memories/x.md');
  write('2.md', '/memories/x.md');
  write('3.md', '/memories/../etc/passwd');
  write('4.md', '/elsewhere/x.md');
  write('5.md', '[list]');
  writeFileSync(join(folder, '6.md'), 'a'.repeat(2_000_001));
  const read = await readMemories(folder);
  expect(read.map(({ path, reason }) => [path, reason?.code])).toEqual([
    ['/memories/2.md', 'name_refused'],
    ['/memories/3.md', 'name_refused'],
    ['/memories/4.md', undefined],
    ['/memories/5.md', undefined],
    ['/memories/6.md', 'larger_than'],
    ['/memories/x.md', undefined],
  ]);
});

it('lists which files of a folder are new, changed, unchanged and unusable', async () => {
  const folder = temp('import');
  mkdirSync(join(folder, 'sub'));
  for (const [name, text] of Object.entries({ new: 'n', changed: 'c2', same: 's', 'sub/binary': 'a\0b' }))
    writeFileSync(join(folder, `${name}.md`), text);
  writeFileSync(join(folder, 'bad.md'), '---\nmodified: yesterday\n---\nx');
  const now = new Map([
    ['/changed.md', 'c1'],
    ['/same.md', 's'],
  ]);
  const states = previewOf(await readMemories(folder), now).map(({ path, state }) => [path, state]);
  expect(Object.fromEntries(states)).toEqual({
    '/memories/bad.md': 'invalid',
    '/memories/changed.md': 'changed',
    '/memories/new.md': 'new',
    '/memories/same.md': 'same',
    '/memories/sub/binary.md': 'invalid',
  });
  expect(await partsOf('---\ntitle: theirs\n---\ntext')).toEqual({
    head: {},
    text: '---\ntitle: theirs\n---\ntext',
  });
});

it("loads pinned memories right after the person's own, and names the muted ones", () => {
  const sources = ['/memories/AGENTS.md', { path: '/work/AGENTS.md' }];
  expect(withChoices(sources, { muted: [], pinned: ['/memories/style.md'] })).toEqual([
    '/memories/AGENTS.md',
    '/memories/style.md',
    { path: '/work/AGENTS.md' },
  ]);
  expect(withChoices(sources, { muted: ['/memories/AGENTS.md'], pinned: [] })).toEqual([
    { path: '/work/AGENTS.md' },
    { path: '/memories/AGENTS.md', muted: true },
  ]);
});
