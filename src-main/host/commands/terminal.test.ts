import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { TerminalInfo } from '../../contract/app';
import type { Rerun } from '../../contract/commands/terminal';
import { optional } from '../../contract/shared/optional';
import { because } from '../../contract/shared/reasons';
import { SlowModel } from '../testing/slow-model';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost } from '../testing/window';

/** Runs once, right before a command starts and after it was judged. */
const beforeStart = vi.hoisted((): { change: (() => void) | undefined } => ({ change: undefined }));
vi.mock('../../terminal/command-runner', async (original) => {
  const real = await original<typeof import('../../terminal/command-runner')>();
  const createCommandRunner: typeof real.createCommandRunner = (...options) => {
    const runner = real.createCommandRunner(...options);
    const run: typeof runner.run = (...command) => {
      const { change } = beforeStart;
      beforeStart.change = undefined;
      change?.();
      return runner.run(...command);
    };
    return { ...runner, run };
  };
  return { ...real, createCommandRunner };
});

const isPosix = process.platform !== 'win32';
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 20 });

type Test = Awaited<ReturnType<typeof setUp>>;

const terminalsOf = ({ window }: Pick<Test, 'window'>): TerminalInfo[] => [
  ...new Map(
    window.events.flatMap((event) =>
      event.type === 'terminal.changed' ? [[event.terminal.id, event.terminal] as const] : [],
    ),
  ).values(),
];

/** A terminal of the person, and the text that it shows. */
async function ownTerminal(t: Test, window = t.window) {
  await window.must('app.open', {});
  const info: TerminalInfo = await window.must('terminal.create', {
    projectId: t.projectId,
    cols: 80,
    rows: 24,
  });
  const text = async (): Promise<string> => {
    const answer: { text: string } = await window.must('terminal.text', { terminalId: info.id });
    return answer.text;
  };
  const type = (data: string) => window.must('terminal.input', { terminalId: info.id, data });
  return { id: info.id, info, text, type };
}

/** A finished command of the agent that the person allowed. */
async function ranCommand(t: Test, command: string): Promise<TerminalInfo> {
  await t.window.must('app.open', {});
  await t.say(`run ${command}`);
  await t.window.until((state) => isWaiting(1)(state) || isIdle(state));
  if (t.window.state && isWaiting(1)(t.window.state)) await t.window.decide(0, { type: 'approve' });
  await t.window.until(isIdle);
  const [ran] = terminalsOf(t);
  if (!ran) throw new Error('Nothing ran.');
  return ran;
}

const rerun = (t: Test, { id }: TerminalInfo, confirmed?: string): Promise<Rerun> =>
  t.window.must('terminal.rerun', { terminalId: id, ...optional({ confirmed }) });

it.runIf(isPosix)('stores nothing that is typed while the terminal does not echo', async () => {
  const t = await setUp();
  const own = await ownTerminal(t);
  const typed = 'hunter2-typed-in-the-dark';
  // biome-ignore lint/suspicious/noTemplateCurlyInString: bash's own syntax
  await own.type('stty -echo; echo quiet; read -r answer; stty echo; echo "got ${#answer}"\n');
  await until(async () => expect(await own.text()).toMatch(/^quiet$/m));
  await own.type(`${typed}\n`);
  await until(async () => expect(await own.text()).toContain(`got ${typed.length}`));
  await own.type('echo seen-and-kept\n');
  await until(async () => expect(await own.text()).toMatch(/^seen-and-kept$/m));
  await t.window.must('terminal.kill', { terminalId: own.id });
  const holding = (text: string) =>
    readdirSync(t.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((file) => join(file.parentPath, file.name))
      .filter((path) => readFileSync(path).includes(text));
  await until(() => expect(holding('seen-and-kept').length).toBeGreaterThan(0));
  expect(holding(typed)).toEqual([]);
});

it.runIf(isPosix)('reruns a command under the current rules, and asks if they require it', async () => {
  const t = await setUp({ sandbox: { kind: null, reason: because('bubblewrap_missing') } });
  const ran = await ranCommand(t, 'echo one >> again.txt');
  const asked = await rerun(t, ran);
  if (asked.status !== 'ask') throw new Error(asked.status);
  expect(readFileSync(join(t.folder, 'again.txt'), 'utf8')).toBe('one\n');
  expect((await rerun(t, ran, 'something else')).status).toBe('ask');
  const started = await rerun(t, ran, asked.digest);
  if (started.status !== 'started') throw new Error(started.status);
  await until(() => expect(readFileSync(join(t.folder, 'again.txt'), 'utf8')).toBe('one\none\n'));
  expect(started.terminal).toMatchObject({
    kind: 'agent',
    callId: null,
    command: ran.command,
    cwd: t.folder,
  });
  await t.window.must('rules.save', {
    draft: {
      match: { kind: 'command', words: ['echo'], exact: false },
      effect: 'deny',
      scope: { kind: 'project', projectId: t.projectId },
    },
  });
  expect((await rerun(t, ran, asked.digest)).status).toBe('denied');
});

it.runIf(isPosix).each([
  ['that was confirmed', 'sh x.sh', (t: Test) => writeFileSync(join(t.folder, 'x.sh'), 'echo other >> log')],
  [
    'that needs no question',
    'cat a.txt',
    (t: Test) => {
      rmSync(join(t.folder, 'a.txt'));
      symlinkSync('/etc/hostname', join(t.folder, 'a.txt'));
    },
  ],
  [
    'that the mode forbids by then',
    'touch made',
    (t: Test) => {
      const project = t.host.storage.projects.get(t.projectId);
      if (project) t.host.storage.projects.save({ ...project, mode: 'plan' });
    },
  ],
])('judges a command %s again right before it is rerun [safety 9]', async (_what, command, change) => {
  const t = await setUp({ sandbox: { kind: null, reason: because('bubblewrap_missing') } });
  writeFileSync(join(t.folder, 'x.sh'), 'echo shown >> log');
  writeFileSync(join(t.folder, 'a.txt'), 'own words');
  SlowModel.into(t.host, [[{ name: 'execute', args: { command } }]]);
  const ran = await ranCommand(t, command);
  const first = await rerun(t, ran);
  if (first.status === 'denied') throw new Error(first.reason[0]?.code);
  const count = terminalsOf(t).length;
  rmSync(join(t.folder, 'made'), { force: true });
  beforeStart.change = () => change(t);
  const confirmed = first.status === 'ask' ? first.digest : undefined;
  const second = await rerun(t, ran, confirmed);
  expect(beforeStart.change).toBeUndefined();
  expect(second.status).toBe(command === 'touch made' ? 'denied' : 'ask');
  expect(second.status === 'ask' && second.digest).not.toBe(confirmed);
  expect(terminalsOf(t)).toHaveLength(count);
  expect(existsSync(join(t.folder, 'made'))).toBe(false);
  if (command === 'sh x.sh') expect(readFileSync(join(t.folder, 'log'), 'utf8')).toBe('shown\n');
  if (command !== 'sh x.sh' || second.status !== 'ask') return;
  // The command in the prompt is the one that runs.
  expect((await rerun(t, ran, second.digest)).status).toBe('started');
  await until(() => expect(readFileSync(join(t.folder, 'log'), 'utf8')).toBe('shown\nother\n'));
});

it.runIf(isPosix)('names a terminal of the person and says what runs in it', async () => {
  const t = await setUp();
  const own = await ownTerminal(t);
  const names = async (): Promise<string[]> => {
    const answer: { names: string[] } = await t.window.must('terminal.programs', { terminalId: own.id });
    return answer.names;
  };
  await own.type('sleep 30\n');
  await until(async () => expect(await names()).toEqual(['sleep']));
  await own.type('\x03');
  await until(async () => expect(await names()).toEqual([]));
  await t.window.must('terminal.rename', { terminalId: own.id, title: ' the\nserver ' });
  expect(terminalsOf(t).map(({ title }) => title)).toEqual(['the server']);
  await t.window.must('terminal.rename', { terminalId: own.id, title: '' });
  expect(terminalsOf(t).map(({ title }) => title)).toEqual([undefined]);
});

it.runIf(isPosix)('restarts a shell below the output from before a restart', async () => {
  const t = await setUp();
  const own = await ownTerminal(t);
  await own.type('echo from-before\n');
  await until(async () => expect(await own.text()).toMatch(/^from-before$/m));
  await t.window.must('terminal.rename', { terminalId: own.id, title: 'mine' });
  const second = await ownTerminal(t);
  expect(second.info.number).toBe(2);
  await t.host.close();
  // Closed already.
  cleanups.pop();
  const host = await startHost(t.dataDir, []);
  cleanups.push(() => host.close());
  const window = new FakeWindow(host);
  await window.must('app.open', {});
  const again: TerminalInfo = await window.must('terminal.reopen', { terminalId: own.id });
  expect(again).toMatchObject({ status: 'running', title: 'mine', cwd: t.folder });
  const text = async (): Promise<string> => {
    const answer: { text: string } = await window.must('terminal.text', { terminalId: again.id });
    return answer.text;
  };
  await window.must('terminal.input', { terminalId: again.id, data: 'echo from-now\n' });
  await until(async () => expect(await text()).toMatch(/^from-before$[\s\S]*^from-now$/m));
  expect(await window.must('terminal.reopen', { terminalId: second.id })).toMatchObject({ number: 2 });
});

it.runIf(isPosix)('finds only project files from the words in a terminal', async () => {
  const t = await setUp();
  mkdirSync(join(t.folder, 'src'));
  writeFileSync(join(t.folder, 'src', 'sum.ts'), '');
  const own = await ownTerminal(t);
  const locate = async (words: string[]): Promise<(string | null)[]> => {
    const answer: { paths: (string | null)[] } = await t.window.must('terminal.locate', {
      terminalId: own.id,
      words,
    });
    return answer.paths;
  };
  const file = join(t.folder, 'src', 'sum.ts');
  expect(await locate(['src/sum.ts', file, './src/sum.ts', 'sum.ts', 'src', '/etc/passwd', '../x'])).toEqual([
    file,
    file,
    file,
    null,
    null,
    null,
    null,
  ]);
  await own.type('cd src; echo there\n');
  await until(async () => expect(await own.text()).toMatch(/^there$/m));
  expect(await locate(['sum.ts', 'src/sum.ts'])).toEqual([file, file]);
});
