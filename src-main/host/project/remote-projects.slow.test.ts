import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Project, TerminalInfo } from '../../contract/app';
import { DEFAULT_PLACE_POLICY, type PlaceInfo, type PlacePolicy } from '../../contract/places';
import { because } from '../../contract/shared/reasons';
import { localMachines } from '../testing/local-machines';
import { type Part, SlowModel } from '../testing/slow-model';
import { isIdle, isWaiting, setUp, temp } from '../testing/window';

type Host = Awaited<ReturnType<typeof setUp>>['host'];

const TARGETS = {
  ssh: { kind: 'ssh', host: 'build', hostKeys: [] as string[] },
  container: { kind: 'container', engine: 'docker', container: 'box' },
} as const;
const NAMES = { ssh: 'build', container: 'box' } as const;

/** A project in a folder of "another computer", whose model makes the given calls. */
async function remote(
  scriptOf: (folder: string) => readonly (readonly Part[])[] = () => [],
  kind: keyof typeof TARGETS = 'ssh',
) {
  const ssh = localMachines();
  const t = await setUp({
    sandbox: { kind: null, reason: because('bubblewrap_missing') },
    layers: null,
    env: ssh.env,
  });
  const folder = temp('there');
  writeFileSync(join(folder, 'start.md'), 'Begin here.\n');
  const options = { ...TARGETS[kind], folder };
  const opened = (await t.window.must('places.openProject', { options, secret: null })) as {
    project: Project | null;
  };
  if (opened.project === null) throw new Error('The project did not open.');
  const { project } = opened;
  const thread: { id: typeof t.threadId } = await t.window.must('thread.create', { projectId: project.id });
  await t.window.open(thread.id);
  const model = SlowModel.into(t.host, scriptOf(folder));
  const say = (text: string) => t.window.must('thread.send', { threadId: thread.id, text });
  const ask = (name: Parameters<typeof t.window.client.call>[0], input: object) =>
    t.window.client.call(name, { projectId: project.id, ...input } as never);
  const place = async () => {
    const { places } = (await t.window.must('places.list', { projectId: project.id })) as {
      places: PlaceInfo[];
    };
    const found = places.find(({ isProject }) => isProject);
    if (found === undefined) throw new Error('There is no place.');
    return found;
  };
  return { ...t, ssh, model, there: folder, options, project, threadId: thread.id, say, ask, place };
}

const now = (host: Host, { id }: Project) => host.storage.projects.get(id);
const execute = (command: string) => ({ name: 'execute', args: { command } });

describe.skipIf(process.platform === 'win32')('a project on another computer', () => {
  it('is mounted at its path there, and owns an empty folder here', async () => {
    const t = await remote();
    expect(t.project).toMatchObject({ mount: t.there, remote: { machine: 'build' }, missing: false });
    expect(t.project.folder.startsWith(join(t.dataDir, 'remote'))).toBe(true);
    const place = await t.place();
    expect(place).toMatchObject({ path: `${t.there}/`, isProject: true, runsCommands: true });
    expect(await t.ask('files.list', { threadId: null, path: t.there })).toMatchObject({
      ok: true,
      value: { entries: [{ path: join(t.there, 'start.md'), kind: 'file' }] },
    });
  });

  it.each(['ssh', 'container'] as const)('has files, commands and an undo there: %s', async (kind) => {
    const scriptOf = (folder: string) => [
      [{ name: 'read_file', args: { file_path: `${folder}/start.md` } }],
      [
        {
          name: 'edit_file',
          args: { file_path: `${folder}/start.md`, old_string: 'Begin', new_string: 'Start' },
        },
      ],
      [execute('pwd; cat start.md')],
      ['Done.'],
    ];
    const t = await remote(scriptOf, kind);
    await t.say('go');
    await t.window.until(isWaiting(1));
    expect(t.window.state?.approvals[0]?.reason).toEqual([
      because('changes_place', { place: `${t.there}/` }),
    ]);
    await t.window.allow(0);
    await t.window.until((state) => isWaiting(1)(state) && state.approvals[0]?.tool === 'execute');
    expect(t.window.state?.approvals[0]?.preview).toMatchObject({ machine: NAMES[kind], cwd: t.there });
    await t.window.allow(0);
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect(t.window.calls[2]?.result).toContain(`${t.there}\nStart here.`);
    expect(readdirSync(t.project.folder)).toEqual([]);
    await t.window.must('changes.revert', {
      threadId: t.threadId,
      scope: { kind: 'thread' },
      force: false,
    });
    expect(readFileSync(join(t.there, 'start.md'), 'utf8')).toBe('Begin here.\n');
    expect(t.reports).toEqual([]);
  });

  it.each<[string, Partial<PlacePolicy>]>([
    ['its files have exceptions', { rules: [{ effect: 'deny', operations: ['read'], glob: '*.key' }] }],
    ['it asks before reading', { reading: 'ask' }],
  ])('runs no command, here or there, if %s', async (_why, policy) => {
    const t = await remote((folder) => [[execute(`touch ${folder}/ran`)], ['Done.']]);
    const { id } = await t.place();
    await t.window.must('places.editProject', {
      id,
      options: t.options,
      policy: { ...DEFAULT_PLACE_POLICY, ...policy },
      secret: null,
    });
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls[0]?.status).not.toBe('done');
    expect(existsSync(join(t.there, 'ran'))).toBe(false);
  });

  it('reads the instructions and the skills of the folder there', async () => {
    const t = await remote(() => [['Done.']]);
    writeFileSync(join(t.there, 'AGENTS.md'), 'Greet with moin.\n');
    mkdirSync(join(t.there, '.deepdesk/skills/sums'), { recursive: true });
    writeFileSync(
      join(t.there, '.deepdesk/skills/sums/SKILL.md'),
      '---\nname: sums\ndescription: Adds up.\n---\nAdd.\n',
    );
    const found = await t.ask('composer.commands', {});
    expect(JSON.stringify(found)).toContain('"sums"');
    await t.say('go');
    await t.window.until(isIdle);
    expect(JSON.stringify(t.model.requests)).toContain('Greet with moin.');
  });

  it.each(['ssh', 'container'] as const)('waits while it is gone, and continues later: %s', async (kind) => {
    const t = await remote(() => [['Here again.']], kind);
    t.ssh.cut();
    await t.ask('project.look', {});
    expect(now(t.host, t.project)).toMatchObject({ missing: true });
    await t.say('go');
    const said = await t.window.until((state) => state.messages.at(-1)?.role === 'notice');
    expect(said.messages.at(-1)).toMatchObject({
      error: { code: 'project_machine_gone', values: { machine: NAMES[kind] } },
    });
    t.ssh.back();
    await t.window.must('thread.retry', { threadId: t.threadId });
    await t.window.until((state) => isIdle(state) && t.window.lastAnswer === 'Here again.');
    expect(now(t.host, t.project)).toMatchObject({ missing: false });
  });

  it('is not opened twice, and comes back with its threads after it was removed', async () => {
    const t = await remote();
    const again = async () =>
      (await t.window.must('places.openProject', { options: t.options, secret: null })) as {
        project: Project;
      };
    expect((await again()).project.id).toBe(t.project.id);
    await t.ask('project.remove', {});
    expect(t.host.storage.places.list()).toEqual([]);
    expect((await t.ask('project.restore', {})).ok).toBe(true);
    expect(await t.place()).toMatchObject({ isProject: true });
    await t.ask('project.remove', {});
    expect((await again()).project.id).toBe(t.project.id);
    expect(t.host.storage.threads.summaries(t.project.id)).toHaveLength(1);
  });

  it.each([
    ['project.reveal', {}],
    ['project.reattach', {}],
    ['copies.make', { ignored: false }],
    ['files.copy', { path: '/start.md' }],
  ] as const)('refuses %s, which needs a folder of this computer', async (name, input) => {
    const t = await remote();
    const path = 'path' in input ? { path: `${t.there}${input.path}` } : {};
    expect((await t.ask(name, { ...input, ...path })).ok).toBe(false);
    expect(readdirSync(t.project.folder)).toEqual([]);
  });

  it('creates and moves files of the person there', async () => {
    const t = await remote();
    const at = (name: string) => join(t.there, name);
    expect((await t.ask('files.create', { path: at('new.md'), kind: 'file' })).ok).toBe(true);
    expect(await t.ask('files.create', { path: at('new.md'), kind: 'file' })).toMatchObject({
      error: { code: 'file_exists' },
    });
    expect((await t.ask('files.move', { from: at('new.md'), to: at('docs/new.md') })).ok).toBe(true);
    expect(existsSync(at('docs/new.md'))).toBe(true);
    expect(readdirSync(t.project.folder)).toEqual([]);
  });

  it('opens a terminal of the person there, and again in the same folder', async () => {
    const t = await remote();
    const opened = await t.ask('terminal.create', { cols: 80, rows: 24 });
    if (!opened.ok) throw new Error('It did not open.');
    const terminal = opened.value as TerminalInfo;
    expect(terminal).toMatchObject({ kind: 'person', machine: 'build', cwd: t.there, status: 'running' });
    const { id: terminalId } = terminal;
    const text = async () =>
      ((await t.window.must('terminal.text', { terminalId })) as { text: string }).text;
    await t.window.must('terminal.input', { terminalId, data: 'echo "in $PWD with $((1 + 1))"\n' });
    await vi.waitFor(async () => expect(await text()).toContain(`in ${t.there} with 2`), { timeout: 10_000 });
    await t.window.must('terminal.kill', { terminalId });
    const again: TerminalInfo = await t.window.must('terminal.reopen', { terminalId });
    expect(again).toMatchObject({ machine: 'build', cwd: t.there, status: 'running' });
    await t.window.must('terminal.close', { terminalId: again.id });
  });

  it('keeps its place, which is neither removed nor moved on its own', async () => {
    const t = await remote();
    const { id } = await t.place();
    expect(await t.window.client.call('places.remove', { id } as never)).toMatchObject({
      error: { code: 'place_is_project' },
    });
    await t.window.must('places.editProject', {
      id,
      options: { ...TARGETS.ssh, host: 'other', folder: '/elsewhere' },
      policy: DEFAULT_PLACE_POLICY,
      secret: null,
    });
    expect(now(t.host, t.project)).toMatchObject({ mount: t.there, remote: { machine: 'other' } });
    expect(await t.place()).toMatchObject({ options: { host: 'other', folder: t.there } });
  });

  it.each([
    [{ ...TARGETS.ssh, folder: '/' }, 'whole_disk'],
    [{ ...TARGETS.ssh, folder: '/nowhere/at/all' }, 'place_folder_gone'],
    [{ ...TARGETS.container, folder: '/nowhere/at/all' }, 'place_folder_gone'],
    [{ ...TARGETS.container, container: 'other', folder: '/' }, 'place_container_gone'],
    [{ ...TARGETS.container, container: '--privileged', folder: '/' }, 'place_container_name'],
  ])('does not open %j', async (options, code) => {
    const t = await remote();
    const opened = await t.window.must('places.openProject', { options, secret: null });
    expect(opened).toMatchObject({ project: null, error: { code } });
  });
});
