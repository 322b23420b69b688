import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startPty } from './pty';
import { markShell } from './shell-marks';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'deepdesk-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A marked bash with a home of its own, and what it printed. */
function openBash(args: string[] = []) {
  const shell = markShell({ file: '/bin/bash', args });
  if (shell === null) throw new Error('bash is not marked');
  const started = startPty({
    kind: 'person',
    program: shell.program,
    cwd: home,
    env: { HOME: home, PATH: process.env.PATH ?? '' },
    cols: 80,
    rows: 24,
    mark: 'marked-shell-test',
  });
  if (!started.ok) throw new Error(started.error.message);
  const { pty } = started.value;
  onTestFinished(() => {
    pty.kill();
    shell.remove();
  });
  let printed = '';
  pty.onData((data) => {
    printed += data;
  });
  /** Its marks so far, without times. */
  const marks = () =>
    [
      ...printed.matchAll(new RegExp(`\\x1b\\]133;([ABCD]);${shell.mark}(?:;(\\d*))?[^\\x07]*\\x07`, 'g')),
    ].map(([, kind, code]) => (kind === 'D' ? `D${code}` : kind));
  const until = (isThere: () => void) => vi.waitFor(isThere, { timeout: 10_000, interval: 10 });
  return { shell, pty, marks, until, printed: () => printed };
}

describe('a marked bash', () => {
  it('says where its prompt, its commands and their ends are, and nothing for an empty line', async () => {
    const { pty, marks, until } = openBash();
    await until(() => expect(marks()).toEqual(['A', 'B']));
    pty.write('true\r');
    await until(() => expect(marks()).toEqual(['A', 'B', 'C', 'D0', 'A', 'B']));
    pty.write('\r');
    await until(() => expect(marks().slice(6)).toEqual(['A', 'B']));
    pty.write('(exit 7)\r');
    await until(() => expect(marks().slice(8)).toEqual(['C', 'D7', 'A', 'B']));
  });

  it.each([
    ['a text', 'PROMPT_COMMAND=\'echo "saw $?"; PS1="new> "\''],
    ['a list', 'PROMPT_COMMAND=(\'echo "saw $?"\' \'PS1="new> "\')'],
  ])('keeps the prompt command of the person, %s, which makes the prompt anew', async (_what, line) => {
    writeFileSync(join(home, '.bashrc'), `${line}\nHERE=from-bashrc\n`);
    const { pty, marks, until, printed } = openBash();
    await until(() => expect(marks()).toEqual(['A', 'B']));
    pty.write('echo "$HERE"; (exit 9)\r');
    await until(() => expect(marks().slice(2)).toEqual(['C', 'D9', 'A', 'B']));
    expect(printed()).toContain('from-bashrc\r\n');
    expect(printed()).toContain('saw 9');
    expect(printed()).toContain('new> ');
  });

  it('reads what a login shell reads, where it is to be one', async () => {
    writeFileSync(join(home, '.bash_profile'), 'echo from-the-profile\n');
    const { marks, until, printed } = openBash(['-l']);
    await until(() => expect(marks()).toEqual(['A', 'B']));
    expect(printed()).toContain('from-the-profile');
  });

  it('hands its mark to no program, and leaves nothing behind', async () => {
    const { shell, pty, marks, until, printed } = openBash();
    await until(() => expect(marks()).toEqual(['A', 'B']));
    pty.write(`env | grep -c ${shell.mark.slice(0, 8)}\r`);
    await until(() => expect(marks().slice(2)).toEqual(['C', 'D1', 'A', 'B']));
    expect(printed()).toContain('\x070\r\n');
    shell.remove();
    const folder = dirname(shell.program.args[1] ?? '');
    expect([existsSync(folder), readdirSync(home)]).toEqual([false, []]);
  });
});

it('leaves other shells as they are', () => {
  expect(markShell({ file: '/bin/sh', args: [] })).toBeNull();
  expect(markShell({ file: 'powershell.exe', args: ['-NoLogo'] })).toBeNull();
});
