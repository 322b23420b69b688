import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { standardTime } from '../../base/testing/processor-time';
import { isRunning, settingsOf } from './git-config';

it.each([
  ['a header after a header', '[user] [core] hooksPath = .h\n[core "a"][alias] st = !x\n'],
  ['a comment that ends with a backslash', '# note \\\n[core] hooksPath = .h\n; note \\\n[core] pager = p\n'],
  ['a comment after a value that ends with a backslash', '[user]\n name = a # b \\\n[core]\n pager = p\n'],
  ['a value of several lines', '[alias]\n x = "!a \\\n  b" \\\n c # d\n[core]\n pager = p\n'],
  ['a byte order mark', '\ufeff[core]\n pager = p\n'],
  [
    'odd names of sections',
    '[a.B.c] d = 1\n[Diff "q\\"R # ]"] textconv = e\n[filter "x"] # [y]\n clean = f\n',
  ],
  ['a setting without a value', '[core "X"]hooksPath\n'],
  [
    'characters that end lines elsewhere',
    '[core]\n fsmonitor = ./e # \u2028 x\n pager = a\u2029b\n[filter "a\\\u2028b"]\n clean = f\n',
  ],
  [
    'blanks in quotes and other blanks',
    '[include] path = \t"x " \n[include]\n path = y\u00a0\n path = " "z"" \n',
  ],
  ['Windows line ends', '[core]\r\n pager = a \\\r\nb\r\n'],
])('reads a configuration as git does: %s', async (_, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'config');
  writeFileSync(file, text);
  const listed = execFileSync('git', ['config', '-f', file, '--list', '-z'], { encoding: 'utf8' });
  const expected = listed
    .split('\0')
    .slice(0, -1)
    .map((one) => {
      const [key = '', ...value] = one.split('\n');
      return { key, value: value.length === 0 ? 'true' : value.join('\n') };
    });
  expect(expected.length).toBeGreaterThan(0);
  expect(await settingsOf(file)).toEqual(expected);
});

it('reads a value of many lines in little time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let files = 0;
  const read = () => {
    files += 1;
    const file = join(folder, String(files));
    writeFileSync(file, `[core]\n pager = ${'ab\\\n'.repeat(60_000)}`);
    return settingsOf(file);
  };
  expect((await read())[0]?.value).toHaveLength(120_000);
  expect(await standardTime(read)).toBeLessThan(500);
});

it.each(['tar.tgz.command', 'imap.tunnel', 'gc.recentobjectshook', 'core.hookspath', 'alias.x'])(
  'knows that git runs the value of %s',
  (key) => expect(isRunning({ key, value: 'x' })).toBe(true),
);
