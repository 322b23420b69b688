import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProjectId, TerminalId, ThreadId } from '../contract/ids';
import type { CommandRunner, RunOptions } from '../harness/backends/commands';
import { createCommandRunner } from './command-runner';
import { TerminalSessions } from './sessions';
import { sessionScript } from './shell-session';
import { alive, uniqueSleep } from './testing/processes';

let folder: string;
let sessions: TerminalSessions;
let runner: CommandRunner;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'shared-')));
  mkdirSync(join(folder, 'src/deep'), { recursive: true });
  sessions = new TerminalSessions({
    now: () => Date.now(),
    newId: () => TerminalId.parse(randomUUID()),
    onChanged: () => undefined,
    onRemoved: () => undefined,
    onData: () => undefined,
  });
  runner = createCommandRunner(sessions, { projectId: ProjectId.parse('p'), threadId: ThreadId.parse('t') });
});
afterEach(async () => {
  await runner.endSession?.('s');
  await sessions.disposeAll();
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: string, options: Partial<RunOptions> = {}) {
  const { output, exitCode, cwd, timedOut } = await runner.run(command, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', BASE: 'base' },
    timeoutMs: 20_000,
    maxOutputBytes: 100_000,
    session: 's',
    ...options,
  });
  return { output, exitCode, cwd, ...(timedOut ? { timedOut } : {}) };
}
const said = (output: string, cwd = folder, exitCode: number | null = 0) => ({ output, exitCode, cwd });
const UNDONE =
  '[The command did not finish by itself, so the session is unchanged: its changes of folder and variables are not kept.]';

describe('commands of one session', () => {
  it('start in the folder where the previous command finished', async () => {
    expect(await run('cd src')).toEqual(said('', join(folder, 'src')));
    expect(await run('pwd; cd deep')).toEqual(said(`${folder}/src\n`, join(folder, 'src/deep')));
    expect(await run('cd - >/dev/null; pwd')).toEqual(said(`${folder}/src\n`, join(folder, 'src')));
    expect(await run('(cd /); pwd')).toEqual(said(`${folder}/src\n`, join(folder, 'src')));
  });

  it('inherit exported variables with any content, and nothing else', async () => {
    const odd = `it's "$x" \\ \`y\`\nand a line`;
    await run(`export ODD='${odd.replaceAll("'", `'\\''`)}' BASE=changed; private=1`);
    expect(await run('printf %s "$ODD|$BASE|$private"')).toEqual(said(`${odd}|changed|`));
    await run('export PATH=/nowhere');
    expect(await run('echo "$PATH"; export PATH=/usr/bin:/bin')).toEqual(said('/nowhere\n'));
    expect((await run('ls -d src')).output).toBe('src\n');
  });

  it('keep their exit code, output and way to exit', async () => {
    expect(await run('cd src; exit 7')).toEqual(said('', join(folder, 'src'), 7));
    expect(await run('false')).toEqual(said('', join(folder, 'src'), 1));
    expect(await run('set -e; cd deep; false; echo never')).toEqual(said('', join(folder, 'src/deep'), 1));
    expect(await run('false; set -u; echo still here')).toEqual(
      said('still here\n', join(folder, 'src/deep')),
    );
    expect(await run('set -u; echo $nothing; echo never')).toMatchObject({ exitCode: expect.any(Number) });
    expect(await run('pwd')).toEqual(said(`${folder}/src/deep\n`, join(folder, 'src/deep')));
  });

  it('can have many lines, with heredocs, quotes, comments and errors', async () => {
    expect(await run("cat <<'EOF'\n$(id) it's\nEOF\ncd src # there")).toEqual(
      said("$(id) it's\n", join(folder, 'src')),
    );
    expect((await run("echo 'two\nlines' \"and 'quotes'\"")).output).toBe("two\nlines and 'quotes'\n");
    const broken = await run("echo 'not ended");
    expect([broken.exitCode === 0, broken.cwd]).toEqual([false, join(folder, 'src')]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own syntax
    expect((await run('echo "${BASH_VERSION:+bash}" $#')).output).toBe('bash 0\n');
  });

  it('run one after another', async () => {
    const all = await Promise.all([run('sleep 0.2; cd src'), run('pwd')]);
    expect(all.map(({ output }) => output)).toEqual(['', `${folder}/src\n`]);
  });

  it('do not keep background processes', async () => {
    const sleep = uniqueSleep();
    const { output, cwd } = await run(`cd src; sleep ${sleep} & echo hi`);
    expect(output).toMatch(/^hi\n\[1 process left running in the background stopped with the command: /);
    expect([cwd, alive(sleep)]).toEqual([join(folder, 'src'), []]);
  });
});

describe('a command that does not complete', () => {
  it('times out with its process tree, and the session continues from the state before it', async () => {
    await run('cd src; export KEPT=1');
    const sleep = uniqueSleep();
    const late = await run(`cd deep; export KEPT=2; (sleep ${sleep}; true); true`, { timeoutMs: 300 });
    expect(late).toEqual({ ...said(UNDONE, join(folder, 'src'), null), timedOut: true });
    expect(alive(sleep)).toEqual([]);
    expect(await run('echo $KEPT')).toEqual(said('1\n', join(folder, 'src')));
  });

  it('is canceled, and the session continues from the state before it', async () => {
    await run('cd src');
    const controller = new AbortController();
    const sleep = uniqueSleep();
    const cancelled = run(`cd deep; echo ready; sleep ${sleep}`, {
      signal: controller.signal,
      onOutput: (text) => text.includes('ready') && controller.abort(new Error('stopped by test')),
    });
    await expect(cancelled).rejects.toThrow('stopped by test');
    expect(await run('pwd')).toEqual(said(`${folder}/src\n`, join(folder, 'src')));
  });

  it('is reported when it replaces or kills its shell', async () => {
    expect(await run('cd src; exec true')).toEqual(said(UNDONE));
    expect(await run('cd src; kill -KILL $$')).toEqual(said(UNDONE, folder, 137));
    expect(await run("trap 'echo bye' EXIT; cd src")).toEqual(said(`bye\n${UNDONE}`));
  });
});

describe('a session', () => {
  it('returns to its first folder when the current one is gone', async () => {
    await run('cd src/deep');
    rmSync(join(folder, 'src'), { recursive: true });
    expect(await run('pwd')).toEqual(
      said(`${folder}\n[The folder ${folder}/src/deep is gone; the session continued in ${folder}.]`),
    );
  });

  it('is not shared with other names or with commands without one', async () => {
    await run('cd src');
    expect((await run('pwd', { session: 'other' })).output).toBe(`${folder}\n`);
    await runner.endSession?.('other');
    const { output, cwd } = await runner.run('pwd', {
      cwd: folder,
      env: {},
      timeoutMs: 20_000,
      maxOutputBytes: 10_000,
    });
    expect([output, cwd]).toEqual([`${folder}\n`, undefined]);
  });

  it('leaves no files and starts over after it was closed', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('deepdesk-session-'));
    await run('cd src');
    const [mine = ''] = readdirSync(tmpdir()).filter(
      (name) => name.startsWith('deepdesk-session-') && !before.includes(name),
    );
    await run('cd deep');
    expect(readdirSync(join(tmpdir(), mine))).toHaveLength(2);
    await runner.endSession?.('s');
    expect(existsSync(join(tmpdir(), mine))).toBe(false);
    expect((await run('pwd')).output).toBe(`${folder}\n`);
  });

  it('shows the user the command without its wrapper', async () => {
    await run('echo hi');
    expect(sessions.list().map(({ command }) => command)).toEqual(['echo hi']);
  });

  it("uses each system's tools for the handover", () => {
    const parts = { command: "echo 'a'", from: '/s/1.env', to: { env: '/s/2.env', cwd: '/s/2.cwd' } };
    const windows = sessionScript(parts, 'win32');
    expect(windows).toContain("Invoke-Expression 'echo ''a'''");
    expect(windows).toContain("Set-Content -LiteralPath '/s/2.cwd'");
    expect(sessionScript(parts, 'darwin')).toBe(sessionScript(parts, 'linux'));
    expect(sessionScript(parts, 'linux')).toContain("eval 'echo '\\''a'\\'''");
  });
});
