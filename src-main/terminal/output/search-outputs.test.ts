import { expect, it } from 'vitest';
import type { TerminalInfo } from '../../contract/app';
import { TerminalId, ThreadId } from '../../contract/ids';
import { ok } from '../../contract/result';
import { searchOutputs } from './search-outputs';

const thread = ThreadId.parse('t');
const outputs = (printed: Record<string, [threadId: string, data: string]>) => ({
  list: () =>
    Object.entries(printed).map(([id, [threadId]]) => ({ id, threadId }) as unknown as TerminalInfo),
  recorded: (id: string) => ok({ data: printed[id]?.[1] ?? '' }),
});
const search = (
  printed: Record<string, [string, string]>,
  text: string,
  signal = new AbortController().signal,
) => searchOutputs(outputs(printed), thread, text, signal);

it("finds the commands of a thread by their output, newest first, without the terminal's colors", async () => {
  const found = await search(
    {
      a: ['t', 'building\r\n\u001b[31mERROR\u001b[0m: no disk\r\nerror again\r\n'],
      b: ['other', 'error\r\n'],
      c: ['t', 'fine\r\n'],
      d: ['t', 'Error here\r\n'],
    },
    'error',
  );
  expect(found).toEqual([
    { terminalId: TerminalId.parse('d'), count: 1, line: 'Error here' },
    { terminalId: TerminalId.parse('a'), count: 2, line: 'ERROR: no disk' },
  ]);
});

it('cuts a long line around the match', async () => {
  const [found] = await search({ a: ['t', `${'x'.repeat(500)}needle${'y'.repeat(500)}`] }, 'needle');
  expect(found?.line).toMatch(/^…x{40}needley+…$/u);
});

it('stops with its request', async () => {
  await expect(search({ a: ['t', 'x'] }, 'x', AbortSignal.abort(new Error('gone')))).rejects.toThrow();
});
