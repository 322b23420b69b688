import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import type { TerminalInfo } from '../contract/app';
import { ProjectId, TerminalId } from '../contract/ids';
import { MARK_VARIABLE } from './pty/process-tree';
import type { Session } from './session';
import { type OpenRequest, TerminalSessions } from './sessions';
import type { TerminalStore } from './store';
import { memoryStore } from './testing/processes';

let sessions: TerminalSessions;
let changed: TerminalInfo[];
let removed: string[];
let data: { offset: number; data: string }[];

const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 5 });
const shown = () => data.map((piece) => piece.data).join('');

function create(store?: TerminalStore): TerminalSessions {
  return new TerminalSessions({
    now: () => 1_000,
    newId: () => TerminalId.parse(randomUUID()),
    onChanged: (info) => changed.push(info),
    onRemoved: (id) => removed.push(id),
    onData: (_id, offset, text) => data.push({ offset, data: text }),
    ...(store ? { store } : {}),
  });
}

function open(command: string, more: Partial<OpenRequest> = {}, from = sessions): Session {
  const opened = from.open({
    kind: 'agent',
    projectId: ProjectId.parse('p'),
    threadId: null,
    callId: null,
    command,
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    ...more,
  });
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  return opened.value;
}

/** Resolves when the terminal has printed `text`. No viewer stays attached. */
async function printed(session: Session, text: string): Promise<void> {
  await until(() => {
    const { data: all } = session.attach('test');
    session.detach('test');
    expect(all).toContain(text);
  });
}

beforeEach(() => {
  changed = [];
  removed = [];
  data = [];
  sessions = create();
});
afterEach(() => sessions.disposeAll());

describe('a terminal', () => {
  it('reports its events in order', async () => {
    const { ended, info } = open('exit 4');
    await ended;
    expect(info).toMatchObject({ command: 'exit 4', cols: 120, rows: 30, startedAt: 1_000 });
    expect(changed.map(({ status, exitCode, endedAt }) => ({ status, exitCode, endedAt }))).toEqual([
      { status: 'running', exitCode: null, endedAt: null },
      { status: 'exited', exitCode: 4, endedAt: 1_000 },
    ]);
  });

  it('shows a late window the earlier output and then the new output', async () => {
    const session = open('echo one; read x; echo two');
    await printed(session, 'one\r\n');
    sessions.attach(session.info.id);
    sessions.input(session.info.id, '\r');
    await session.ended;
    expect(data[0]?.offset).toBe(5);
    expect(shown()).toBe('\r\ntwo\r\n');
  });

  it('sends nothing to a window that detached', async () => {
    const session = open('read x; echo two');
    sessions.attach(session.info.id);
    sessions.detach(session.info.id);
    sessions.input(session.info.id, '\r');
    await session.ended;
    expect(data).toEqual([]);
  });

  it('uses the given size', async () => {
    const session = open('read x; stty size', { cols: 80, rows: 24 });
    sessions.attach(session.info.id);
    expect(sessions.resize(session.info.id, 111, 33)).toEqual({ ok: true, value: {} });
    sessions.input(session.info.id, '\r');
    await session.ended;
    expect(shown()).toContain('33 111');
    expect(sessions.list()[0]).toMatchObject({ cols: 111, rows: 33 });
  });

  it('rejects invalid sizes and unknown terminals', async () => {
    const session = open('read x');
    for (const size of [0, 1, 1_001, 2.5, Number.NaN]) {
      expect(sessions.resize(session.info.id, size, 24)).toMatchObject({ error: { kind: 'invalid' } });
    }
    const unknown = TerminalId.parse('unknown');
    expect(sessions.input(unknown, 'x')).toMatchObject({ error: { kind: 'not_found' } });
    expect(sessions.attach(unknown)).toMatchObject({ error: { kind: 'not_found' } });
    expect(await sessions.kill(unknown)).toMatchObject({ error: { kind: 'not_found' } });
  });

  it('stops the command when Ctrl C is typed', async () => {
    const session = open('echo ready; sleep 60');
    await printed(session, 'ready');
    sessions.input(session.info.id, '\x03');
    expect(await session.ended).toMatchObject({ status: 'exited', exitCode: 130 });
  });

  it('closes together with its running processes', async () => {
    const { info, ended } = open('sleep 60');
    expect(await sessions.close(info.id)).toEqual({ ok: true, value: {} });
    expect(await ended).toMatchObject({ status: 'stopped', exitCode: null });
    expect(removed).toEqual([info.id]);
    expect(sessions.list()).toEqual([]);
  });
});

describe("an agent's command that asks", () => {
  const waits = () => changed.map(({ awaitsInput, endedAt }) => [awaitsInput === true, endedAt === null]);

  it('is marked as waiting until it is answered', async () => {
    const session = open('read -p "Name: " x; echo "Hello $x"');
    await until(() => expect(session.info.awaitsInput).toBe(true));
    sessions.input(session.info.id, 'Ada\r');
    await session.ended;
    expect(waits()).toEqual([
      [false, true],
      [true, true],
      [false, true],
      [false, false],
    ]);
  });

  it.runIf(process.platform === 'linux')('is marked as waiting even without a prompt', async () => {
    const session = open('echo ready; read x');
    await until(() => expect(session.info.awaitsInput).toBe(true));
    await session.end('stopped', 0);
    expect(session.info.awaitsInput).toBeUndefined();
  });

  it('is not marked if nobody can type into it', async () => {
    const session = open('printf "Name: "; sleep 3', { stdin: 'closed' });
    await session.ended;
    expect(waits()).toEqual([
      [false, true],
      [false, false],
    ]);
  });
});

describe("the user's shell", () => {
  it('runs, takes input and exits', async () => {
    const session = open('', {
      kind: 'person',
      env: { PATH: process.env.PATH ?? '', SHELL: '/bin/bash', HOME: '/nonexistent' },
    });
    expect(session.info.command).toBe('bash');
    sessions.attach(session.info.id);
    sessions.input(session.info.id, 'echo $((6*7))\r');
    await until(() => expect(shown()).toContain('42'));
    sessions.input(session.info.id, 'exit 5\r');
    expect(await session.ended).toMatchObject({ status: 'exited', exitCode: 5 });
  });

  it('has a number that no other with its name in the project has, as long as it exists', async () => {
    const { store } = memoryStore();
    sessions = create(store);
    const shell = (more: Partial<OpenRequest> = {}) =>
      open('', { kind: 'person', env: { PATH: process.env.PATH ?? '', SHELL: '/bin/bash' }, ...more }).info;
    const all = [shell(), shell(), shell({ projectId: ProjectId.parse('other') }), shell()];
    expect(all.map(({ number }) => number)).toEqual([undefined, 2, undefined, 3]);
    const [first, second] = all;
    if (!first || !second) throw new Error('There are no terminals.');
    await sessions.close(first.id);
    expect(sessions.get(second.id)?.number).toBe(2);
    await sessions.kill(second.id);
    expect(shell({ replaces: second }).number).toBe(2);
    expect([shell().number, shell().number]).toEqual([undefined, 4]);
  });

  it('gets a number after a restart if an earlier version gave it none', async () => {
    const { store, infos } = memoryStore();
    sessions = create(store);
    const made = [0, 1].map(() => open('', { kind: 'person', env: { PATH: process.env.PATH ?? '' } }).info);
    await Promise.all(made.map(({ id }) => sessions.kill(id)));
    await sessions.disposeAll();
    for (const [id, { number: _none, ...info }] of infos) infos.set(id, info);
    sessions = create(store);
    expect(sessions.list().map(({ number }) => number)).toEqual([undefined, 2]);
    expect([...infos.values()].map(({ number }) => number)).toEqual([undefined, 2]);
  });

  it('is killed even though it ignores SIGTERM', async () => {
    const session = open('', { kind: 'person' });
    await sessions.kill(session.info.id);
    expect(await session.ended).toMatchObject({ status: 'stopped' });
  });
});

describe('flow control', () => {
  it('pauses a flood for an attached window and loses nothing', async () => {
    const session = open('seq 1 200000; echo end');
    const first = sessions.attach(session.info.id);
    await until(() => expect(shown().length).toBeGreaterThan(100_000));
    // Other commands start and finish in between. Without the pause, the flood would be over after the first of them.
    for (let i = 0; i < 10; i += 1) await open('seq 1 50000 >/dev/null').ended;
    expect(shown().length).toBeLessThan(600_000);
    let drawn = 0;
    const acknowledge = setInterval(() => {
      drawn = (first.ok ? first.value.data.length : 0) + shown().length;
      sessions.ack(session.info.id, drawn);
    }, 1);
    expect(await session.ended).toMatchObject({ exitCode: 0 });
    clearInterval(acknowledge);
    const all = (first.ok ? first.value.data : '') + shown();
    expect(all.endsWith('\r\n199999\r\n200000\r\nend\r\n')).toBe(true);
    expect(all.length).toBe(
      Array.from({ length: 200_000 }, (_, i) => `${i + 1}`.length + 2).reduce((a, b) => a + b) + 5,
    );
  });

  it('resumes only after every holder has released it, and loses nothing', async () => {
    const session = open('seq 1 200000; echo end');
    session.hold('one');
    session.hold('other');
    session.letGo('one');
    for (let i = 0; i < 5; i += 1) await open('seq 1 50000 >/dev/null').ended;
    expect(session.recorded().data.length).toBeLessThan(600_000);
    session.letGo('other');
    expect(await session.ended).toMatchObject({ exitCode: 0 });
    expect(session.recorded().data.endsWith('\r\n200000\r\nend\r\n')).toBe(true);
  });

  it('does not prevent a paused terminal from being stopped', async () => {
    const session = open('yes');
    session.hold('one');
    expect(await session.end('stopped', 100)).toMatchObject({ status: 'stopped' });
  });

  it('does not pause a terminal that nobody watches', async () => {
    expect(await open('seq 1 200000').ended).toMatchObject({ exitCode: 0 });
  });
});

describe('quitting', () => {
  it('stops every terminal and opens no new ones', async () => {
    const all = [open('sleep 60'), open('trap "" TERM; sleep 60'), open('', { kind: 'person' })];
    await sessions.disposeAll();
    expect(sessions.list().map(({ status }) => status)).toEqual(['stopped', 'stopped', 'stopped']);
    for (const session of all) expect(await session.ended).toMatchObject({ status: 'stopped' });
    expect(() => open('true')).toThrow('Deepdesk is closing');
  });
});

describe('the next start', () => {
  it('lists the earlier terminals with their output', async () => {
    const kept = memoryStore();
    const before = create(kept.store);
    const session = open('echo hello', {}, before);
    await session.ended;
    const again = create(kept.store);
    expect(again.list()).toEqual([session.info]);
    expect(again.attach(session.info.id)).toEqual({
      ok: true,
      value: { terminal: session.info, offset: 0, data: 'hello\r\n' },
    });
    expect(await again.close(session.info.id)).toEqual({ ok: true, value: {} });
    expect(kept.infos.size + kept.outputs.size).toBe(0);
  });

  it('marks running terminals as lost and kills their remaining processes', async () => {
    const kept = memoryStore();
    const id = TerminalId.parse(randomUUID());
    const orphan = spawn('sleep', ['60'], { detached: true, env: { [MARK_VARIABLE]: id }, stdio: 'ignore' });
    const gone = new Promise((resolve) => orphan.once('exit', (_code, signal) => resolve(signal)));
    const running = { ...open('true').info, id };
    kept.store.save(running);
    const again = create(kept.store);
    await again.restored;
    expect(await gone).toBe('SIGTERM');
    expect(again.list()).toEqual([{ ...running, status: 'lost', endedAt: 1_000 }]);
    expect(kept.infos.get(id)).toMatchObject({ status: 'lost' });
  });

  it('works even if the store fails', async () => {
    const { store } = memoryStore();
    const failing = {
      ...store,
      append: () => {
        throw new Error('disk full');
      },
    };
    const session = open('echo hello', {}, create(failing));
    expect(await session.ended).toMatchObject({ exitCode: 0 });
  });
});
