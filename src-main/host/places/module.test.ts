import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { english } from '../../../src-renderer/i18n/english';
import { DEFAULT_PLACE_POLICY } from '../../contract/places';
import { detectSandbox } from '../../harness/sandbox';
import { type Part, SlowModel } from '../testing/slow-model';
import { isIdle, setUp, temp, testDesktop } from '../testing/window';
import { moduleOf, readModule } from './module';
import { ModuleProcess } from './module-process';
import { openPlaceOf } from './testing/instance';

/** The example of docs/guide/places.md. */
const [, EXAMPLE = ''] =
  /```js\n(\/\/ Each line[\s\S]*?)```/.exec(readFileSync('docs/guide/places.md', 'utf8')) ?? [];
const TASKS = 'call-ada;Call Ada about the report\nbook-room;Book the large room\n';

/** Writes the module of a project. */
async function withModule(source: string, folder = temp('project')) {
  const file = moduleOf(folder);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, source);
  const module = await readModule(file);
  if (!module.ok) throw new Error(module.error.code);
  return { folder, options: { kind: 'module' as const, file, hash: module.value.hash } };
}

const listing = (list: string, rest = "read: () => 'text'") =>
  withModule(`import { writeSync } from 'node:fs';\nexport default { list: () => ${list}, ${rest} };\n`);

const inTime = () => AbortSignal.timeout(20_000);

describe('a module of a project as a place', () => {
  it('gives the files that the example of the documentation makes of a table', async () => {
    const { folder, options } = await withModule(EXAMPLE);
    writeFileSync(join(folder, 'tasks.csv'), TASKS);
    const { files } = openPlaceOf(options, null);
    expect((await files.ls('/')).files?.map(({ path }) => path)).toEqual(['/book-room.txt', '/call-ada.txt']);
    expect((await files.read('/call-ada.txt')).content).toBe('Call Ada about the report');
    expect((await files.grep('large', '/')).matches).toMatchObject([{ path: '/book-room.txt', line: 1 }]);
    expect((await files.glob('call-*', '/')).files).toHaveLength(1);
    expect((await files.edit('/call-ada.txt', 'Ada', 'Ben')).error).toBeUndefined();
    expect((await files.write('/new.txt', 'Buy milk')).error).toBeUndefined();
    expect((await files.delete('/book-room.txt')).error).toBeUndefined();
    expect(readFileSync(join(folder, 'tasks.csv'), 'utf8')).toBe(
      'call-ada;Call Ben about the report\nnew;Buy milk\n',
    );
    expect((await files.read('/book-room.txt')).kind).toBe('not_found');
  });

  it('is refused with the reason if it cannot be loaded or exports something else', async () => {
    const reached = async (source: string) => {
      const { options } = await withModule(source);
      return openPlaceOf(options, null).connection.check(inTime());
    };
    expect(await reached("throw new Error('no luck')")).toMatchObject({
      phase: 'refused',
      error: { code: 'place_module_failed', detail: 'no luck' },
    });
    expect(await reached("import 'left-pad'")).toMatchObject({ error: { code: 'place_module_failed' } });
    expect(await reached('export default 7')).toMatchObject({ error: { code: 'place_module_shape' } });
    expect(await reached('process.exit(3)')).toMatchObject({
      error: { code: 'place_module_failed', detail: expect.stringContaining('exited with 3') },
    });
  });

  it('does not run after it has changed, until that is allowed too', async () => {
    const { folder, options } = await withModule(EXAMPLE);
    const changed = await withModule(`process.kill(process.ppid);${EXAMPLE}`, folder);
    expect(await openPlaceOf(options, null).connection.check(inTime())).toMatchObject({
      phase: 'refused',
      error: { code: 'place_module_changed', values: { file: changed.options.file } },
    });
  });

  it.each([
    ['7', "read: () => 'text'", 'did not return a list'],
    ['[{ path: 7 }]', "read: () => 'text'", 'did not return a list'],
    ["[{ path: '../a' }]", "read: () => 'text'", 'a path that cannot be used'],
    ["{ throw new Error('no luck') }", "read: () => 'text'", 'no luck'],
    ["[{ path: '/a.md' }]", 'read: () => 7', 'read() returned neither'],
    ["[{ path: '/a.md' }]", 'read: () => ({ base64: 7 })', 'read() returned neither'],
  ])('fails the call if list is %s and %s', async (list, rest, problem) => {
    const { options } = await listing(list, rest);
    const { connection, files } = openPlaceOf(options, null);
    const failed = list.includes('/a.md') ? await files.read('/a.md') : await files.ls('/');
    expect(failed).toMatchObject({ kind: 'storage', error: expect.stringContaining(problem) });
    expect(connection.state.phase).toBe('connected');
  });

  it('can print whatever it wants', async () => {
    const { options } = await listing(
      "{ console.log('{\"id\":2}'); writeSync(1, 'garbage\\n{}\\n[1]\\n'); return [{ path: '/a.md' }]; }",
    );
    const { files } = openPlaceOf(options, null);
    expect((await files.ls('/')).files).toHaveLength(1);
    expect((await files.read('/a.md')).content).toBe('text');
  });

  it('changes nothing without the functions for it', async () => {
    const { options } = await listing("[{ path: '/a.md' }]");
    const { files } = openPlaceOf(options, null);
    expect((await files.write('/b.md', 'x')).error).toContain('no function write()');
    expect((await files.delete('/a.md')).error).toContain('no function delete()');
  });

  it('fails the call in which its process ends, and starts again with the next', async () => {
    const { options } = await listing(
      "[{ path: '/a.md' }]",
      "read: (path) => path === '/die' ? process.exit(1) : 'text'",
    );
    const { connection, files } = openPlaceOf(options, null);
    expect((await files.read('/a.md')).content).toBe('text');
    expect((await files.read('/die')).error).toContain('cannot be used now');
    expect(connection.state).toMatchObject({ phase: 'offline', error: { code: 'place_module_ended' } });
    expect((await files.read('/a.md')).content).toBe('text');
  });

  it.each(['for (;;);', 'await new Promise(() => {});'])(
    'is ended if it does not answer: %s',
    async (source) => {
      const module = new ModuleProcess({
        node: process.execPath,
        cwd: temp('project'),
        env: {},
        entered: null,
        callLimit: 400,
      });
      onTestFinished(() => module.close());
      const bytes = Buffer.from(source).toString('base64');
      await expect(module.call('load', bytes)).rejects.toThrow('did not answer load');
      await expect(module.call('ping')).rejects.toThrow('has exited');
    },
  );

  it('gets no keys of the environment', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-of-the-person');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { options } = await listing('[]', 'read: () => JSON.stringify(process.env)');
    const { files } = openPlaceOf(options, null);
    const { content } = await files.read('/env');
    expect(content).toContain('PATH');
    expect(content).not.toContain('sk-of-the-person');
  });
});

const sandbox = await detectSandbox();
const note = sandbox.kind === null ? ` (skipped: ${english.sentences([sandbox.reason])})` : '';

/** The app with a project that has a module, and what its dialogs asked. */
async function appWith(source: string, script: readonly (readonly Part[])[]) {
  const asked: { message: string; detail: string }[] = [];
  const confirm = async (question: { message: string; detail: string }) => asked.push(question) > 0;
  const t = await setUp({ desktop: { ...testDesktop, confirm } });
  const { options } = await withModule(source, t.folder);
  const draft = { path: '/module/', options, projectId: t.projectId, policy: DEFAULT_PLACE_POLICY };
  SlowModel.into(t.host, script);
  const go = async () => {
    const before = t.window.calls.length;
    await t.say('go');
    await t.window.until((state) => isIdle(state) && t.window.calls.length > before);
    return t.window.calls.at(-1)?.result ?? '';
  };
  return { ...t, asked, draft, go };
}

const readFrom = (file_path: string) => [[{ name: 'read_file', args: { file_path } }], ['Done.']];

describe('a module in the app', () => {
  it('is shown, asked about and run, for its project alone', async () => {
    const t = await appWith(EXAMPLE, readFrom('/module/call-ada.txt'));
    writeFileSync(join(t.folder, 'tasks.csv'), TASKS);
    const { file, hash } = t.draft.options;
    expect(await t.window.must('places.module', { projectId: t.projectId })).toEqual({
      file,
      hash,
      text: EXAMPLE,
    });
    const add = (part: object) =>
      t.window.client.call('places.add', { draft: { ...t.draft, ...part }, secret: null });
    expect(await add({ projectId: null })).toMatchObject({ error: { code: 'place_module_project' } });
    const elsewhere = { ...t.draft.options, file: `${file}/../other.mjs` };
    expect(await add({ options: elsewhere })).toMatchObject({ error: { code: 'place_module_project' } });
    const other = { ...t.draft.options, hash: '0'.repeat(64) };
    expect(await add({ options: other })).toMatchObject({ error: { code: 'place_module_changed' } });
    expect(t.asked).toEqual([]);
    expect(await add({})).toMatchObject({ ok: true });
    expect(t.asked).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('/module/'),
        detail: expect.stringContaining('async delete(path) {'),
      }),
    ]);
    expect(await t.go()).toContain('Call Ada about the report');
  });

  it('is saved twice in a row by the person in the viewer', async () => {
    const t = await appWith(
      'const all = {}; export default { list: () => Object.keys(all).map((path) => ({ path })), ' +
        'read: (path) => all[path] ?? null, write: (path, content) => { all[path] = content.toString(); } };',
      [],
    );
    await t.window.must('places.add', { draft: t.draft, secret: null });
    const at = { projectId: t.projectId, path: '/module/a.md' };
    let version: string | null = null;
    for (const text of ['one', 'two', 'three'])
      ({ version } = (await t.window.must('files.save', { ...at, text, version })) as { version: string });
    expect(await t.window.must('files.text', { ...at, threadId: null })).toMatchObject({
      text: 'three',
      version,
    });
  });

  it('asks before a test runs it, once per content', async () => {
    const t = await appWith(EXAMPLE, []);
    const test = () => t.window.must('places.test', { draft: t.draft, secret: null, id: null });
    expect(await test()).toMatchObject({ state: { phase: 'connected' } });
    await test();
    expect(t.asked.map(({ message }) => message)).toEqual([`Run ${t.draft.options.file}?`]);
  });

  it.skipIf(sandbox.kind === null)(`cannot read what commands cannot${note}`, async () => {
    const source = `import { readFile } from 'node:fs/promises';
export default { list: () => [], read: (path) => readFile(path) };`;
    const t = await appWith(source, []);
    const [inside, outside] = [join(t.folder, 'inside.txt'), join(t.dataDir, 'outside.txt')];
    writeFileSync(inside, 'of the project');
    writeFileSync(outside, 'of the app');
    await t.window.must('places.add', { draft: t.draft, secret: null });
    SlowModel.into(t.host, [...readFrom(`/module${inside}`), ...readFrom(`/module${outside}`)]);
    expect(await t.go()).toContain('of the project');
    expect(await t.go()).not.toContain('of the app');
  });
});
