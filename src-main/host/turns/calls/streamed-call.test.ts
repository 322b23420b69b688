import { expect, it } from 'vitest';
import { SlowModel } from '../../testing/slow-model';
import { isIdle, setUp } from '../../testing/window';
import { StreamedCall } from './streamed-call';

it('tells the file and the lines of a call whose arguments arrive in pieces', () => {
  const call = new StreamedCall();
  const args = JSON.stringify({ file_path: '/p/a "b".ts', content: 'one\ntwo\\n\nthree' });
  call.take({ index: 0, name: 'write_file', args: '' });
  expect(call.writing).toEqual({ display: 'write', path: null, lines: 0 });
  for (const sign of args) call.take({ index: 0, args: sign });
  expect(call.writing).toEqual({ display: 'write', path: '/p/a "b".ts', lines: 2 });
});

it('starts again with the next call, and tells nothing of other tools', () => {
  const call = new StreamedCall();
  call.take({ index: 0, name: 'write_file', args: '{"file_path":"/a","content":"x\\ny"}' });
  call.take({ index: 1, name: 'execute', args: '{"command":"l' });
  expect(call.writing).toEqual({ display: 'command', path: null, lines: 0 });
  call.take({ index: 2, name: 'search_wiki', args: '{"path":"/a"}' });
  expect(call.writing).toBeNull();
});

it('is told while it arrives, and no longer when the turn was stopped', { timeout: 30_000 }, async () => {
  const t = await setUp();
  const args = { file_path: '/plan.md', content: 'one\ntwo' };
  SlowModel.into(t.host, [[{ name: 'write_file', args }, 'hang'], ['Fine.']]);
  await t.say('work');
  const { turn } = await t.window.until((s) => s.turn.phase === 'running' && s.turn.writing !== undefined);
  expect(turn).toMatchObject({ writing: { display: 'write', path: '/plan.md', lines: 1 } });
  await t.window.must('thread.stop', { threadId: t.threadId });
  const { messages } = await t.window.until(isIdle);
  // The half-written call left nothing; the notice says that the person stopped the agent.
  expect(messages.map(({ role }) => role)).toEqual(['user', 'notice']);
});
