import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { startPty } from './pty/pty';
import { markShell, type ShellFiles, writeShellFiles } from './shell-marks';

let home: string;
let folder: string;
let files: ShellFiles;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'deepdesk-home-'));
  folder = mkdtempSync(join(tmpdir(), 'deepdesk-shell-'));
  files = await writeShellFiles(folder);
});
afterEach(() => {
  for (const one of [home, folder]) rmSync(one, { recursive: true, force: true });
});

/** A marked shell with a temporary home, and its output. */
function openShell(file: string, args: string[] = [], more: Record<string, string> = {}) {
  const env = { HOME: home, PATH: process.env.PATH ?? '', ...more };
  const shell = markShell({ file, args }, env, files);
  if (shell === null) throw new Error(`${file} is not marked`);
  const started = startPty({
    kind: 'person',
    program: shell.program,
    cwd: home,
    env: { ...env, ...shell.env },
    cols: 80,
    rows: 24,
    mark: 'marked-shell-test',
  });
  if (!started.ok) throw new Error(inEnglish(started.error));
  const { pty } = started.value;
  onTestFinished(() => pty.kill());
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
  it('marks its prompt, the start and end of commands, and nothing for an empty line', async () => {
    const { pty, marks, until } = openShell('/bin/bash');
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
  ])("keeps the user's prompt command, %s, which rebuilds the prompt", async (_what, line) => {
    writeFileSync(join(home, '.bashrc'), `${line}\nHERE=from-bashrc\n`);
    const { pty, marks, until, printed } = openShell('/bin/bash');
    await until(() => expect(marks()).toEqual(['A', 'B']));
    pty.write('echo "$HERE"; (exit 9)\r');
    await until(() => expect(marks().slice(2)).toEqual(['C', 'D9', 'A', 'B']));
    expect(printed()).toContain('from-bashrc\r\n');
    expect(printed()).toContain('saw 9');
    expect(printed()).toContain('new> ');
  });

  it('reads the login startup files when it is a login shell', async () => {
    writeFileSync(join(home, '.bash_profile'), 'echo from-the-profile\n');
    const { marks, until, printed } = openShell('/bin/bash', ['-l']);
    await until(() => expect(marks()).toEqual(['A', 'B']));
    expect(printed()).toContain('from-the-profile');
  });

  it('passes its mark to no program and leaves the home directory unchanged', async () => {
    const { shell, pty, marks, until, printed } = openShell('/bin/bash');
    await until(() => expect(marks()).toEqual(['A', 'B']));
    pty.write(`env | grep -c -e ${shell.mark.slice(0, 8)} -e DEEPDESK_SHELL\r`);
    await until(() => expect(marks().slice(2)).toEqual(['C', 'D1', 'A', 'B']));
    expect(printed()).toContain('\x070\r\n');
    expect(readdirSync(home)).toEqual([]);
  });
});

/** zsh may not be installed. */
const zsh = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'zsh'))
  .find((file) => existsSync(file));

describe.skipIf(zsh === undefined)(`a marked zsh${zsh ? '' : ' (skipped: zsh is not installed.)'}`, () => {
  const open = (args: string[] = [], env: Record<string, string> = {}) => openShell(zsh ?? '', args, env);

  it('marks its prompt, the start and end of commands with the command text, and nothing for an empty line', async () => {
    writeFileSync(join(home, '.zshrc'), 'RPROMPT=right\n');
    const { shell, pty, marks, until, printed } = open();
    await until(() => expect(marks()).toEqual(['A', 'B']));
    pty.write("echo 5%';'; (exit 7)\r");
    await until(() => expect(marks()).toEqual(['A', 'B', 'C', 'D7', 'A', 'B']));
    expect(printed()).toMatch(new RegExp(`133;C;${shell.mark};[\\d.]+;echo 5%25'%3B'%3B \\(exit 7\\)\\x07`));
    pty.write('\r');
    await until(() => expect(marks().slice(6)).toEqual(['A', 'B']));
  });

  it("reads all of the user's startup files from their folder and marks a rebuilt prompt", async () => {
    const own = join(home, "it's own");
    mkdirSync(own);
    writeFileSync(join(own, '.zshenv'), 'echo env:$ZDOTDIR\n');
    writeFileSync(join(own, '.zprofile'), 'echo profile\n');
    writeFileSync(join(own, '.zshrc'), "echo rc:$ZDOTDIR\nprecmd() { echo saw $?; PS1='new> ' }\n");
    const { pty, marks, until, printed } = open(['-l'], { ZDOTDIR: own });
    await until(() => expect(printed()).toContain('new> '));
    for (const line of [`env:${own}`, 'profile', `rc:${own}`]) expect(printed()).toContain(`${line}\r\n`);
    pty.write('(exit 9)\r');
    await until(() => expect(marks().slice(-4)).toEqual(['C', 'D9', 'A', 'B']));
    expect(printed()).toContain('saw 9');
    pty.write('echo $?:$ZDOTDIR\r');
    await until(() => expect(printed()).toContain(`9:${own}\r\n`));
  });

  it('creates no folder if the user has none, and leaves the home directory unchanged', async () => {
    writeFileSync(join(home, '.zshrc'), '');
    const { pty, marks, until, printed } = open();
    await until(() => expect(marks()).toEqual(['A', 'B']));
    pty.write('echo "<$ZDOTDIR>"; env | grep -c DEEPDESK_SHELL\r');
    await until(() => expect(marks().slice(2)).toEqual(['C', 'D1', 'A', 'B']));
    expect(printed()).toContain('<>\r\n0\r\n');
    expect(readdirSync(home)).toEqual(['.zshrc']);
  });
});

it('leaves other shells unchanged', () => {
  expect(markShell({ file: '/bin/sh', args: [] }, {}, files)).toBeNull();
  expect(markShell({ file: 'powershell.exe', args: ['-NoLogo'] }, {}, files)).toBeNull();
});
