import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Approval } from '../contract/approvals';
import { overtimeOf } from './overtime';

const approval = { preview: { kind: 'timeout', command: 'npm start', seconds: 120 } } as Approval;
const SAID = '· still running after its time limit of 120 s, in a throwaway layer';

function deciding(options: Parameters<typeof overtimeOf>[0], typed: string | null = null) {
  const said: string[] = [];
  const [input, output] = [new PassThrough(), new PassThrough()];
  output.on('data', (text) => said.push(String(text)));
  const over = new AbortController();
  const out = { out: () => undefined, err: (text: string) => void said.push(text) };
  const decided = overtimeOf(options, out, typed === null ? null : { input, output })(approval, over.signal);
  if (typed !== null && typed !== '') input.write(typed);
  return { decided, said, over };
}

it.each([
  ['stop', false, 'stopping'],
  ['wait', true, 'waiting on'],
] as const)('does what the option says, even at a terminal: %s', async (overtime, goesOn, words) => {
  for (const typed of [null, 'y\n']) {
    const { decided, said } = deciding({ overtime, json: false }, typed);
    expect(await decided).toBe(goesOn);
    expect(said).toEqual([`${SAID} [${words}]\n`]);
  }
});

it('stops where nobody can answer, and prints only events with --json', async () => {
  const alone = deciding({ overtime: undefined, json: false });
  expect([await alone.decided, alone.said]).toEqual([false, [`${SAID} [stopping]\n`]]);
  const json = deciding({ overtime: undefined, json: true }, 'y\n');
  expect([await json.decided, json.said]).toEqual([false, []]);
});

it.each([
  ['y\n', true],
  ['Yes\n', true],
  ['\n', false],
  ['no\n', false],
])('asks at a terminal: %j', async (typed, goesOn) => {
  const { decided, said } = deciding({ overtime: undefined, json: false }, typed);
  expect(await decided).toBe(goesOn);
  expect(said.join('')).toContain('Keep waiting? [y/N]');
});

it('does not ask once the command has exited', async () => {
  const { decided, over } = deciding({ overtime: undefined, json: false }, '');
  over.abort();
  expect(await decided).toBe(false);
});
