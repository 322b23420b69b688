import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { CallProgress } from '../contract/conversation';
import { type QuestionAnswer, questionOf, resultOf, type ServerQuestion } from './questions';
import { httpTrial, place, trial } from './testing/place';
import { CallLimit } from './tools/call-limit';
import type { CallsOfRun } from './tools/server-tool';

// Programs start slowly on test machines.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const { signal } = new AbortController();

/** A person who answers so, and what they were asked. */
function person(answer: QuestionAnswer | (() => Promise<QuestionAnswer>)) {
  const asked: ServerQuestion[] = [];
  const calls: CallsOfRun = () => ({
    progressed: () => undefined,
    ask: async (question) => {
      asked.push(question);
      return typeof answer === 'function' ? answer() : answer;
    },
  });
  return { asked, calls };
}

const accept = (values: object): QuestionAnswer => ({ action: 'accept', text: JSON.stringify(values) });

describe('a question of a server', () => {
  it('hides and reorders nothing in its labels', () => {
    const question = questionOf('trial', {
      mode: 'form',
      message: 'Which one?',
      requestedSchema: {
        type: 'object',
        properties: {
          a: { type: 'string', title: 'pass\u200bword', description: 'your\n\ncode \u202egnihton' },
          b: { type: 'string', oneOf: [{ const: 'all', title: '\u202eenon' }] },
        },
      },
    });
    expect(question).toMatchObject({
      asksSecret: true,
      fields: [
        { label: 'pass\\u{200b}word', description: 'your code \\u{202e}gnihton' },
        { options: [{ value: 'all', label: '\\u{202e}enon' }] },
      ],
    });
  });

  it.each(['', 'old'])(
    'reaches the person as a form, and their answer the server (server: %s)',
    async (fault) => {
      const t = place({ trial: trial(fault) });
      const { asked, calls } = person(accept({ name: 'Ada', guests: 3, place: 'out', quiet: true }));
      const { content } = await t.call('trial__ask', {}, signal, calls);
      expect(JSON.parse(String(content))).toEqual({
        action: 'accept',
        content: { name: 'Ada', guests: 3, place: 'out', quiet: true },
      });
      expect(asked).toMatchObject([
        {
          server: 'trial',
          message: 'Which table would you like?',
          url: null,
          asksSecret: false,
          fields: [
            { name: 'name', label: 'Your name', kind: 'text', required: true, min: 1 },
            { name: 'guests', kind: 'integer', description: 'At most eight', min: 1, max: 8 },
            {
              name: 'place',
              kind: 'choice',
              required: false,
              options: [{ value: 'in', label: 'Inside' }, {}],
            },
            { name: 'quiet', kind: 'boolean' },
          ],
        },
      ]);
    },
  );

  it('reaches the person over HTTP', async () => {
    const { url } = await httpTrial();
    const t = place({ far: { url } });
    const { calls } = person(accept({ name: 'Ada', guests: 3 }));
    expect((await t.call('far__ask', {}, signal, calls)).content).toContain('Ada');
  });

  it.each(['decline', 'cancel'] as const)('can be answered with %s', async (action) => {
    const t = place({ trial: trial() });
    expect((await t.call('trial__ask', {}, signal, person({ action }).calls)).content).toBe(
      JSON.stringify({ action }),
    );
  });

  it('gets no answer that does not fit its form', async () => {
    const t = place({ trial: trial() });
    const { calls } = person(accept({ name: 'Ada', guests: 900 }));
    expect((await t.call('trial__ask', {}, signal, calls)).content).toBe('{"action":"cancel"}');
  });

  it('is cancelled if too many others wait', async () => {
    const t = place({ trial: trial() });
    let waiting = 0;
    let most = 0;
    const { calls } = person(async () => {
      waiting += 1;
      most = Math.max(most, waiting);
      // The server asks all at once.
      await new Promise(setImmediate);
      waiting -= 1;
      return { action: 'decline' };
    });
    const { content } = await t.call('trial__ask', { times: 100 }, signal, calls);
    expect([most, String(content).split('"action"').length - 1]).toEqual([10, 100]);
    expect(content).toContain('"cancel"');
  });

  it('is cancelled in a call that nobody watches', async () => {
    const t = place({ trial: trial() });
    expect((await t.call('trial__ask')).content).toBe('{"action":"cancel"}');
  });

  it('opens a page once the person agrees', async () => {
    const opened: string[] = [];
    const browse = async (url: URL) => opened.push(url.href) > 0;
    const t = place({ trial: trial() }, { browse });
    const { calls: no } = person({ action: 'decline' });
    expect((await t.call('trial__ask_page', {}, signal, no)).content).toBe('{"action":"decline"}');
    expect(opened).toEqual([]);
    const { asked, calls } = person(accept({}));
    expect((await t.call('trial__ask_page', {}, signal, calls)).content).toBe('{"action":"accept"}');
    expect(opened).toEqual(['https://example.com/confirm?order=7']);
    expect(asked).toMatchObject([{ url: 'https://example.com/confirm?order=7', fields: [] }]);
  });

  it('does not count against the time limit of the call', async () => {
    const t = place({ trial: trial('', { timeoutSeconds: 1 }) });
    const { calls } = person(async () => {
      t.later(1_500);
      return accept({ name: 'Ada', guests: 3 });
    });
    expect(await t.call('trial__ask', {}, signal, calls)).toMatchObject({ status: 'success' });
  });
});

it('reports progress, which starts the time limit again', async () => {
  const t = place({ trial: trial('', { timeoutSeconds: 1 }) });
  const marker = join(t.folder, 'seen');
  const seen: CallProgress[] = [];
  const calls: CallsOfRun = () => ({
    progressed: (progress) => {
      seen.push(progress);
      if (!existsSync(marker)) t.later(900);
      writeFileSync(marker, '');
    },
    ask: async () => ({ action: 'cancel' }),
  });
  expect(await t.call('trial__steps', { marker }, signal, calls)).toEqual({
    status: 'success',
    content: 'Both steps are done.',
  });
  expect(seen[0]).toEqual({ done: 1, total: 2, message: 'Step 1' });
});

it('needs few timers however often a server reports progress', () => {
  let [now, timers] = [0, 0];
  const limit = new CallLimit(
    {
      now: () => now,
      limit: () => {
        timers += 1;
        return new AbortController().signal;
      },
    },
    60_000,
  );
  for (; now < 60_000; now += 1) limit.restart();
  expect(timers).toBeLessThan(30);
});

describe('a form', () => {
  const form = (properties: object) =>
    questionOf('s', {
      mode: 'form',
      message: 'Hello',
      requestedSchema: { type: 'object', properties: properties as never },
    });

  it('is marked if a field seems to be for a secret', () => {
    expect(form({ api_key: { type: 'string' } })?.asksSecret).toBe(true);
    expect(form({ x: { type: 'string', title: 'Your password' } })?.asksSecret).toBe(true);
    expect(form({ tokens: { type: 'integer' }, name: { type: 'string' } })?.asksSecret).toBe(false);
  });

  it('is not shown if it is too large or asks for something else', () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, { type: 'string' }]));
    expect(form(many)).toBe(null);
    expect(form({ a: { type: 'object' } })).toBe(null);
  });

  it('keeps the titles of options', () => {
    const items = { anyOf: [{ const: 'r', title: 'Red' }] };
    expect(form({ c: { type: 'array', items } })?.fields).toMatchObject([
      { kind: 'choices', options: [{ value: 'r', label: 'Red' }] },
    ]);
  });

  it('is not answered with text that is not an object', () => {
    const question = form({ name: { type: 'string' } });
    if (question === null) throw new Error('No question.');
    expect(resultOf(question, { action: 'accept', text: 'yes' })).toEqual({ action: 'cancel' });
  });

  it('offers only pages of the web', () => {
    const page = (url: string) => questionOf('s', { mode: 'url', message: 'Hello', url, elicitationId: '1' });
    expect(page('https://example.com/')).toMatchObject({ url: 'https://example.com/' });
    expect(page('file:///etc/passwd')).toBe(null);
  });
});
