import { Terminal } from '@xterm/xterm';
import { expect, it } from 'vitest';
import { type Block, Blocks } from './blocks';

const osc = (text: string) => `\x1b]133;${text}\x07`;
const prompt = `${osc('A;m')}\x1b[32m~ $\x1b[0m ${osc('B;m')}`;
/** What a shell prints for one command. */
const ran = (command: string, printed: string, code: number, from = 10) =>
  `${prompt}${command}\r\n${osc(`C;m;${from}.5`)}${printed}${osc(`D;m;${code};${from + 2},25`)}`;

async function shown(text: string, options = { cols: 20, rows: 6 }) {
  const terminal = new Terminal({ allowProposedApi: true, scrollback: 1_000, ...options });
  const changes: Block[] = [];
  const blocks = new Blocks(terminal, 'm', (block) => changes.push(block));
  const write = (more: string) => new Promise<void>((resolve) => terminal.write(more, resolve));
  await write(text);
  return { terminal, blocks, changes, write };
}

it('records each command with its duration, exit code and output', async () => {
  const { blocks } = await shown(`${ran('true', '', 0)}${ran('ls -l', 'a\r\nb\r\n', 2, 50)}${prompt}`);
  expect(blocks.list()).toEqual([
    { id: 2, command: 'ls -l', startedAt: 50_500, endedAt: 52_250, exitCode: 2 },
    { id: 1, command: 'true', startedAt: 10_500, endedAt: 12_250, exitCode: 0 },
  ]);
  expect([blocks.output(1), blocks.output(2)]).toEqual(['', 'a\nb']);
  expect(blocks.isAtPrompt).toBe(true);
});

it('joins wrapped rows into one line, and accepts a last line without a line end', async () => {
  const { blocks } = await shown(
    `${ran('echo a-command-over-several-rows', `${'x'.repeat(45)}\r\nend`, 0)}\r\n${prompt}`,
  );
  expect(blocks.list()[0]?.command).toBe('echo a-command-over-several-rows');
  expect(blocks.output(1)).toBe(`${'x'.repeat(45)}\nend`);
});

it('takes the command from the shell, whatever is beside it on screen', async () => {
  const { blocks } = await shown(
    `${prompt}echo 5%     12:30\r\n${osc('C;m;1;echo 5%25%3B\\n%0Atrue')}5%\r\n${osc('D;m;0;2')}${prompt}`,
  );
  expect(blocks.list()[0]?.command).toBe('echo 5%;\\n\ntrue');
  expect(blocks.output(1)).toBe('5%');
});

it('accepts a command that its shell reports below a prompt without an end mark', async () => {
  const { blocks, write } = await shown(`${osc('A;m')}new> `);
  expect(blocks.isAtPrompt).toBe(true);
  await write(
    `make\r\n${osc('C;m;1;make')}built\r\n${osc('D;m;0;2')}${osc('A;m')}new> ls\r\n${osc('C;m;3')}a\r\n`,
  );
  expect(blocks.list()).toEqual([{ id: 1, command: 'make', startedAt: 1_000, endedAt: 2_000, exitCode: 0 }]);
  expect([blocks.output(1), blocks.rowOf(1)]).toEqual(['built', 0]);
});

it('reports when a command starts and when it ends', async () => {
  const { blocks, changes, write } = await shown(`${prompt}make\r\n${osc('C;m;1')}so far\r\n`);
  expect([blocks.isAtPrompt, blocks.output(1)]).toEqual([false, 'so far']);
  await write(`more\r\n${osc('D;m;1;4')}${prompt}`);
  expect(changes.map(({ exitCode }) => exitCode)).toEqual([undefined, 1]);
  expect(blocks.output(1)).toBe('so far\nmore');
});

it('finds the command of a row', async () => {
  const { blocks } = await shown(`${ran('one', 'a\r\nb\r\n', 0)}${ran('two', 'c\r\n', 0)}${prompt}`);
  expect([0, 1, 2, 3, 4, 5].map((row) => blocks.at(row)?.command)).toEqual([
    'one',
    'one',
    'one',
    'two',
    'two',
    undefined,
  ]);
  expect([blocks.rowOf(1), blocks.rowOf(2)]).toEqual([0, 3]);
});

it('ignores marks that are not from its shell', async () => {
  const forged = `${osc('A;x')}$ ${osc('B;x')}rm -rf /\r\n${osc('C;x')}fine\r\n${osc('D;x;0')}${osc('D;0')}`;
  const { blocks } = await shown(`${prompt}cat page.txt\r\n${osc('C;m')}${forged}${osc('D;m;1')}${prompt}`);
  expect(blocks.list()).toEqual([
    { id: 1, command: 'cat page.txt', startedAt: undefined, endedAt: undefined, exitCode: 1 },
  ]);
});

it('forgets a command whose line has left the scrollback', async () => {
  const { blocks, write } = await shown(ran('old', 'x\r\n', 0));
  await write(`${'line\r\n'.repeat(1_100)}${ran('new', '', 0)}`);
  expect(blocks.list().map(({ command }) => command)).toEqual(['new']);
  expect([blocks.output(1), blocks.rowOf(1)]).toEqual(['', undefined]);
});

it('continues at the remaining prompt when the screen is cleared', async () => {
  const { terminal, blocks, write } = await shown(`${ran('old', 'x\r\n', 0)}${prompt}`);
  terminal.clear();
  blocks.cleared();
  await write(`new\r\n${osc('C;m')}y\r\n${osc('D;m;0')}${prompt}`);
  expect(blocks.list().map(({ command }) => command)).toEqual(['new']);
  expect(blocks.output(2)).toBe('y');
});
