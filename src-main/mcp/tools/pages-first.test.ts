import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { QuestionAnswer, ServerQuestion } from '../questions';
import { place, trial } from '../testing/place';
import type { CallsOfRun } from './server-tool';

// Programs start slowly on test machines.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const { signal } = new AbortController();

/** A person who answers the questions in turn, and the page that `opened` stands for. */
function setUp(
  answers: ((until: AbortSignal) => Promise<QuestionAnswer>)[],
  opened: (marker: string) => void,
) {
  const asked: ServerQuestion[] = [];
  const visited: URL[] = [];
  const calls: CallsOfRun = () => ({
    progressed: () => undefined,
    ask: async (question, until) => {
      asked.push(question);
      return answers[asked.length - 1]?.(until) ?? { action: 'cancel' };
    },
  });
  const t = place(
    { trial: trial('old') },
    {
      browse: async (url) => {
        opened(marker);
        return visited.push(url) > 0;
      },
    },
  );
  const marker = join(t.folder, 'signed-in');
  const call = (args: object = {}) => t.call('trial__page_first', { marker, ...args }, signal, calls);
  return { asked, visited, marker, call };
}

const accept = async (): Promise<QuestionAnswer> => ({ action: 'accept', text: '{}' });
const say = (action: 'decline' | 'cancel') => async (): Promise<QuestionAnswer> => ({ action });
/** Waits until the question is withdrawn. */
const wait = (until: AbortSignal) =>
  new Promise<never>((_, reject) => until.addEventListener('abort', () => reject(until.reason)));

describe('a server that wants a page to be opened before it runs a call', () => {
  it('asks to open it, waits until the person has finished, and gets the same call again', async () => {
    const t = setUp([accept, accept], (marker) => writeFileSync(marker, ''));
    expect(await t.call()).toEqual({ status: 'success', content: 'Signed in, and done.' });
    expect(t.asked).toMatchObject([
      { server: 'trial', message: 'Connect your account.', step: 'first', fields: [], asksSecret: false },
      { server: 'trial', message: 'Connect your account.', step: 'finish', fields: [] },
    ]);
    expect(t.visited.map(({ host }) => host)).toEqual(['accounts.example.com']);
    expect(t.asked.map(({ url }) => url)).toEqual(Array(2).fill(t.visited[0]?.href));
  });

  it('gets the call again as soon as it reports that the person has finished', async () => {
    const t = setUp([accept, wait], (marker) => writeFileSync(marker, ''));
    expect(await t.call({ tells: true })).toEqual({ status: 'success', content: 'Signed in, and done.' });
    expect(t.asked.map(({ step }) => step)).toEqual(['first', 'finish']);
  });

  it.each([
    ['decline', 'The person declined, so it was not run.'],
    ['cancel', 'Nobody answered, so it was not run.'],
  ] as const)(
    'opens nothing after %s, and the agent learns why the call did not run',
    async (action, why) => {
      const t = setUp([say(action)], () => undefined);
      expect(await t.call()).toEqual({
        status: 'error',
        content: `Error: The MCP server "trial" runs page_first only after the person has finished on accounts.example.com. ${why}`,
      });
      expect(t.visited).toEqual([]);
    },
  );

  it('asks again if the person has not finished, but not without end', async () => {
    const t = setUp(Array(20).fill(accept), () => undefined);
    expect((await t.call()).content).toContain('was repeated 5 times');
    expect(t.visited).toHaveLength(5);
  });

  it.each([
    ['a file', [{ mode: 'url', message: 'Here', url: 'file:///etc/passwd', elicitationId: '1' }]],
    ['a script', [{ mode: 'url', message: 'Here', url: 'javascript:alert(1)', elicitationId: '1' }]],
    ['no page', []],
    ['something else', ['https://example.com']],
  ])('is not followed to %s', async (_, pages) => {
    const t = setUp([accept], () => undefined);
    expect(await t.call({ pages })).toMatchObject({
      status: 'error',
      content: expect.stringContaining('it named none that can be opened. It was not run.') as unknown,
    });
    expect([t.asked, t.visited]).toEqual([[], []]);
  });
});
