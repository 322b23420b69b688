import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { agent, events, setUp } from './headless';

/** Lines of JSON after which the demo is killed, spread over its whole output. */
const KILL_POINTS = Array.from({ length: 15 }, (_, index) => 1 + Math.round((index * 50) / 14));
const isShort = (index: number) => index % 5 === 2;

/** The demo's calls that only read. */
const READS: ReadonlySet<string> = new Set(['ls', 'read_file']);

/** Three points, one for each third of the output, for `npm test`, and the others for `npm run test:slow`. */
export const killPoints = (part: 'short' | 'rest'): number[] =>
  KILL_POINTS.filter((_, index) => isShort(index) === (part === 'short'));

interface Told {
  type: string;
  callId?: string;
  status?: string;
  message?: { calls?: { callId: string; name: string; args: unknown }[] };
}

/** The whole lines of JSON in an output, which a kill may have cut. */
const toldIn = (out: string): Told[] =>
  out
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Told);

/** Kills the demo after so many lines of its output, and continues it. */
export async function killAfterLine(lines: number): Promise<void> {
  const { folder, base } = setUp();
  const killed = await agent([...base, '--approve', 'all', '--json', 'demo'], {
    until: (out) => out.split('\n').length > lines,
    signal: 'SIGKILL',
  });
  const threadId = events(killed)[0]?.threadId ?? '';
  const again = await agent([...base, '--thread', threadId, '--approve', 'all', '--json']);
  // The kill may come when everything is done, reported or not. Then there is nothing to continue, and the following
  // checks show that.
  const isDone =
    /"turn.ended".*"finished"/u.test(killed.out) || again.err === 'This thread has nothing to retry.\n';
  if (!isDone) expect(again).toMatchObject({ code: 0, err: '' });
  const [before, after] = [toldIn(killed.out), toldIn(again.out)];
  const calls = [...before, ...after].flatMap(({ message }) => message?.calls ?? []);
  const steps = new Map(calls.map(({ callId, ...step }) => [callId, step]));
  // The result of a call that reads is saved when its step ends, and the next answer comes after that. A kill in between has it
  // read again.
  const lastAnswer = before.findLastIndex(({ message }) => message !== undefined);
  const isSaved = ({ callId }: Told, index: number) =>
    index < lastAnswer || !READS.has(steps.get(callId ?? '')?.name ?? '');
  const done = [...before.filter(isSaved), ...after]
    .filter(({ type, status }) => type === 'tool.ended' && status === 'done')
    .map(({ callId }) => JSON.stringify(steps.get(callId ?? '')));
  expect(done.filter((step, index) => done.indexOf(step) !== index)).toEqual([]);
  // A command that was running at the kill asks again, and may rightly fail the second time.
  if (again.out.includes('may have taken effect already')) return;
  // A kill in the middle of a write leaves its temporary file, which is hidden and deleted later; see temporaries.ts.
  const left = /^\.(hello\.py|\w+\.txt)\.\d+-[0-9a-f]{12}\.deepdesk-tmp$/;
  const files = readdirSync(join(folder, 'test_dir')).filter((name) => !left.test(name));
  expect(files.sort()).toEqual(['hello.py', 'one.txt', 'three.txt', 'two.txt']);
  // A database that fails its check is set aside at the start, with a warning.
  const check = await agent([...base, '--thread', threadId, '--json', 'hello']);
  expect(check).toMatchObject({ code: 0, err: '' });
}
