import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProjectId, TerminalId, ThreadId } from '../../contract/ids';
import type { SandboxedCall } from '../../contract/shared/sandbox';
import { createCommandRunner } from '../../terminal/command-runner';
import { TerminalSessions } from '../../terminal/sessions';
import { alive, uniqueSleep } from '../../terminal/testing/processes';
import type { RunOptions } from '../backends/commands';
import { createSandbox } from './index';
import { bubblewrap, folderForTest, whySkipped } from './testing/bubblewrap';

let base = '';
let folder = '';
let sessions: TerminalSessions;
let calls: [string, SandboxedCall][] = [];
beforeEach(() => {
  base = folderForTest();
  folder = join(base, 'project');
  mkdirSync(folder);
  writeFileSync(join(base, 'outside'), 'as it was');
  calls = [];
  sessions = new TerminalSessions({
    now: () => Date.now(),
    newId: () => TerminalId.parse(randomUUID()),
    onChanged: () => undefined,
    onRemoved: () => undefined,
    onData: () => undefined,
  });
});
afterEach(async () => {
  await sessions.disposeAll();
  rmSync(base, { recursive: true, force: true });
});

const runner = () =>
  createCommandRunner(sessions, {
    projectId: ProjectId.parse('p'),
    threadId: ThreadId.parse('t'),
    hasPerson: () => false,
  });
const options = (more: Partial<RunOptions> = {}): RunOptions => ({
  cwd: folder,
  env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
  timeoutMs: 20_000,
  maxOutputBytes: 100_000,
  sandbox: createSandbox({
    found: bubblewrap,
    folder,
    home: join(base, 'home'),
    own: [],
    temporary: join(base, 'tmp'),
    isSecret: () => false,
    hosts: () => ({ allow: [], deny: [] }),
    onCommand: (callId, call) => calls.push([callId, call]),
  }),
  ...more,
});

const why = whySkipped === null ? '' : ` (skipped: ${whySkipped})`;
describe.skipIf(whySkipped !== null)(`a command in a terminal and in the sandbox${why}`, () => {
  it('returns the same output, characters and exit code as outside', async () => {
    const text = '€𝄞ü 中文\n'.repeat(2_000);
    writeFileSync(join(folder, 'text'), text);
    const { output, exitCode } = await runner().run('cat text; exit 5', options());
    expect({ isWhole: output === text, exitCode }).toEqual({ isWhole: true, exitCode: 5 });
    expect(sessions.list()).toMatchObject([
      { sandboxed: true, command: 'cat text; exit 5', status: 'exited' },
    ]);
  });

  it('keeps its colors and knows the terminal and its width', async () => {
    const { output } = await runner().run(
      "printf '\\033[31mred\\033[0m '; test -t 1 && tput -T xterm cols",
      options(),
    );
    expect(output).toBe('red 120\n');
    const [terminal] = sessions.list();
    const shown = terminal && sessions.recorded(terminal.id);
    expect(shown?.ok && shown.value.data).toContain('\x1b[31mred\x1b[0m');
  });

  it('is told at the end of the output what was refused', async () => {
    const { output, refused } = await runner().run(
      `echo x > ${join(base, 'outside')}`,
      options({ callId: 'c' }),
    );
    expect(refused).toEqual([{ what: 'write', name: join(base, 'outside') }]);
    expect(output).toContain('Read-only file system\n[This ran in the sandbox, which did not let it write');
    expect(readFileSync(join(base, 'outside'), 'utf8')).toBe('as it was');
    expect(calls.map(([, call]) => call.refused.length)).toEqual([0, 1]);
  });

  it('leaves no process behind when it exits or times out', async () => {
    const [left, late, deep] = [uniqueSleep(), uniqueSleep(), uniqueSleep()];
    expect(await runner().run(`(setsid sleep ${left} &) ; echo done`, options())).toMatchObject({
      output: expect.stringContaining('done'),
      exitCode: 0,
    });
    const outcome = await runner().run(
      `trap '' TERM; (setsid env -i /bin/sleep ${deep} &); sleep ${late}`,
      options({ timeoutMs: 500 }),
    );
    expect(outcome).toMatchObject({ timedOut: true, exitCode: null });
    expect([alive(left), alive(late), alive(deep)]).toEqual([[], [], []]);
  });

  it('is killed with the signal, together with its proxy', async () => {
    const sleeping = uniqueSleep();
    const stop = new AbortController();
    const running = runner().run(
      `echo ready; sleep ${sleeping}`,
      options({
        signal: stop.signal,
        onOutput: (text) => text.includes('ready') && stop.abort(new Error('stopped by test')),
      }),
    );
    await expect(running).rejects.toThrow('stopped by test');
    expect(alive(sleeping)).toEqual([]);
  });

  it('continues as a confined job until it is stopped', async () => {
    const made = runner();
    const sleeping = uniqueSleep();
    const { jobId } =
      (await made.start?.(
        `echo x > ${join(base, 'outside')}; sleep ${sleeping}`,
        options({ callId: 'job' }),
      )) ?? {};
    expect(jobId).toBeDefined();
    await vi.waitFor(async () =>
      expect((await made.jobs?.output(jobId ?? ''))?.text).toContain('Read-only file system'),
    );
    await made.jobs?.stop(jobId ?? '');
    await sessions.disposeAll();
    const write = { what: 'write' as const, name: join(base, 'outside') };
    expect(calls).toEqual([
      ['job', { refused: [] }],
      ['job', { refused: [write] }],
    ]);
    expect(alive(sleeping)).toEqual([]);
    expect(readFileSync(join(base, 'outside'), 'utf8')).toBe('as it was');
  });

  it('passes its directory and variables on inside the sandbox, and never to a command outside', async () => {
    mkdirSync(join(folder, 'deep'));
    const made = runner();
    const session = 's';
    await made.run(`cd deep; export WORD=inside`, options({ session }));
    expect((await made.run('echo $WORD; pwd', options({ session }))).output).toBe(`inside\n${folder}/deep\n`);
    const { sandbox: _, ...outside } = options({ session });
    expect((await made.run('echo "<$WORD>"; pwd', outside)).output).toBe(`<>\n${folder}\n`);
    await made.endSession?.(session);
  });

  it('does not run if the sandbox cannot be prepared', async () => {
    const sandbox = { enter: () => Promise.reject(new Error('no room')) };
    expect(await runner().run('echo x > made', options({ sandbox }))).toMatchObject({
      exitCode: 127,
      output: 'The sandbox could not be prepared, so nothing was run: no room',
    });
    expect(existsSync(join(folder, 'made'))).toBe(false);
  });
});
