import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AIMessage } from '@langchain/core/messages';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inTurn, type Script } from '../../../e2e/providers/script';
import type { ProviderServer } from '../../../e2e/providers/server';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { AppSnapshot, ProviderId } from '../../contract/app';
import type { Output } from '../../contract/commands';
import type { ThreadState } from '../../contract/conversation';
import type { InspectedRequest } from '../../contract/inspect';
import type { ModelFacts, ModelPrice } from '../../contract/usage';
import { startProvider, WIRES } from '../../models/testing/provider-servers';
import { costOf } from '../../models/usage';
import { cleanups, FakeWindow, isIdle, setUp, startHost } from '../testing/window';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

// Whole threads on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const SONNET = 'anthropic:claude-sonnet-4-5';
const PRICE: ModelPrice = {
  input: 3_000_000,
  output: 15_000_000,
  cacheRead: 300_000,
  cacheWrite: 3_750_000,
  asOf: '2026-01-01',
};

type Given = Awaited<ReturnType<typeof setUp>>;

async function serve(t: Given, provider: ProviderId, script: Script): Promise<ProviderServer> {
  const server = await startProvider(provider, script);
  servers.push(server);
  await t.window.must('models.setBaseUrl', { provider, baseUrl: server.url });
  await t.window.must('models.setKey', { provider, key: 'test-key' });
  return server;
}

/** A thread on a scripted model with a known price. */
async function threadOn(script: Script, model = SONNET) {
  const t = await setUp();
  const server = await serve(t, model.split(':')[0] as ProviderId, script);
  await t.window.must('thread.setModel', { threadId: t.threadId, model });
  await t.window.must('models.override', { model, override: { price: PRICE } });
  return { ...t, server };
}

const isFailed = (state: ThreadState) => state.turn.phase === 'failed';
const noticesOf = (state: ThreadState | undefined) =>
  (state?.messages ?? []).flatMap((message) => (message.role === 'notice' ? [message] : []));
const answersOf = (state: ThreadState) =>
  state.messages.flatMap((message) => (message.role === 'agent' ? [message] : []));

const LOOKS = inTurn([
  { text: 'I look.', calls: [{ name: 'ls', args: { path: '/' } }] },
  { text: 'Nothing there.' },
]);

describe('the cost of requests', () => {
  it('is shown on each answer and summed per turn and thread, with sub-agents, across a restart', async () => {
    const t = await threadOn(({ lastUserText, lastToolResults }) =>
      lastUserText !== 'go'
        ? { text: 'The report.' }
        : lastToolResults.length > 0
          ? { text: 'All done.' }
          : {
              calls: [{ name: 'task', args: { description: 'Look', subagent_type: 'general-purpose' } }],
            },
    );
    await t.say('go');
    const first = await t.window.until(isIdle);
    const answers = answersOf(first);
    expect(answers.map(({ model, parentCallId }) => [model, parentCallId !== undefined])).toEqual([
      [SONNET, false],
      [SONNET, true],
      [SONNET, false],
    ]);
    const costs = answers.map(({ usage, costMicroDollars }) => {
      if (usage === undefined) throw new Error('No tokens.');
      expect(costMicroDollars).toBe(costOf(usage, PRICE));
      return costMicroDollars ?? 0;
    });
    const sum = costs.reduce((a, b) => a + b, 0);
    expect(sum).toBeGreaterThan(0);
    expect([first.usage.costMicroDollars, first.usage.turn?.costMicroDollars]).toEqual([sum, sum]);
    expect(first.usage.cacheWriteTokens ?? 0).toBeGreaterThan(0);

    await t.say('go');
    const second = await t.window.until((state) => isIdle(state) && answersOf(state).length === 6);
    const total = second.usage.costMicroDollars ?? 0;
    expect(total - sum).toBe(second.usage.turn?.costMicroDollars);

    // The host that was opened last.
    cleanups.pop();
    await t.host.close();
    const host = await startHost(t.dataDir);
    const window = new FakeWindow(host);
    await window.open(t.threadId);
    expect(window.state?.usage).toEqual(second.usage);
    expect(host.storage.spending.ofThread(t.threadId)).toBe(total);
    await host.close();
  });

  it('uses the price of the model that answered, even if a sub-agent has a different one', async () => {
    const t = await threadOn(({ lastToolResults }) =>
      lastToolResults.length > 0
        ? { text: 'All done.' }
        : { calls: [{ name: 'task', args: { description: 'Look', subagent_type: 'cheap' } }] },
    );
    await serve(t, 'openai', () => ({ text: 'The report.' }));
    const cheap = { ...PRICE, input: 1_000, output: 1_000, cacheRead: 1_000, cacheWrite: 1_000 };
    await t.window.must('models.override', { model: 'openai:gpt-4.1', override: { price: cheap } });
    // An agent of the folder could not choose another provider.
    mkdirSync(join(t.dataDir, 'agents'), { recursive: true });
    writeFileSync(
      join(t.dataDir, 'agents', 'cheap.md'),
      '---\nname: cheap\ndescription: Looks.\nmodel: openai:gpt-4.1\n---\nYou look.\n',
    );
    await t.say('go');
    const state = await t.window.until(isIdle);
    expect(
      answersOf(state).map(({ model, usage, costMicroDollars }) => [
        model,
        usage !== undefined && costMicroDollars === costOf(usage, model === SONNET ? PRICE : cheap),
      ]),
    ).toEqual([
      [SONNET, true],
      ['openai:gpt-4.1', true],
      [SONNET, true],
    ]);
  });

  it('is recorded for a request cut off by closing', async () => {
    const t = await threadOn(() => ({ text: 'It begins and goes on', fault: 'hang' }));
    await t.say('go');
    await t.window.until((state) => answersOf(state).some(({ text }) => text !== ''));
    // The host that was opened last.
    cleanups.pop();
    await t.host.close();
    const host = await startHost(t.dataDir);
    cleanups.push(() => host.close());
    expect(host.storage.spending.ofThread(t.threadId)).toBeGreaterThan(0);
    expect(t.reports).toEqual([]);
  });

  it('is reported as unknown if the price is unknown', async () => {
    const t = await threadOn(LOOKS);
    await t.window.must('models.override', { model: SONNET, override: { price: null } });
    await t.say('go');
    const state = await t.window.until(isIdle);
    expect(answersOf(state).map(({ costMicroDollars }) => costMicroDollars)).toEqual([null, null]);
    expect([state.usage.costMicroDollars, state.usage.unpricedRequests]).toEqual([0, 2]);
  });
});

describe("the person's facts about a model", () => {
  it('are shown, used, and undone', async () => {
    const t = await threadOn(LOOKS);
    const windowOf = async () => {
      const { models }: AppSnapshot = await t.window.must('app.open', {});
      const provider = models.providers.find(({ id }) => id === 'anthropic');
      return provider?.models.find(({ name }) => SONNET.endsWith(name))?.contextWindow;
    };
    const built = await windowOf();
    await t.window.must('models.override', { model: SONNET, override: { contextWindow: 12_345 } });
    expect([await windowOf(), built === 12_345]).toEqual([12_345, false]);
    await t.say('go');
    await t.window.until(isIdle);
    const { requests }: { requests: InspectedRequest[] } = await t.window.must('thread.inspect', {
      threadId: t.threadId,
    });
    expect(requests[0]?.contextWindow).toBe(12_345);
    await t.window.must('models.override', { model: SONNET, override: null });
    expect(await windowOf()).toBe(built);
    const { builtIn }: { builtIn: ModelFacts } = await t.window.must('models.facts', { model: SONNET });
    expect(builtIn.contextWindow).toBe(built);
  });
});

describe('a spending ceiling', () => {
  it('of a routine stops its run, offers the budget, and continues once it is raised', async () => {
    const t = await threadOn(LOOKS);
    const draft = (tokens: number | null) => ({
      ...{ name: 'Report', projectId: t.projectId, prompt: 'go', model: SONNET, mode: null, isOn: false },
      ...{ schedule: 'every day at 9', timeZone: 'UTC', budget: { microDollars: null, tokens } },
    });
    const { id }: Output<'routines.save'> = await t.window.must('routines.save', {
      id: null,
      draft: draft(1),
    });
    const { threadId }: Output<'routines.run'> = await t.window.must('routines.run', { id, record: false });
    await t.window.open(threadId);
    const stopped = await t.window.until(isFailed);
    expect(noticesOf(stopped).map(({ error, actions }) => [error.code, actions])).toEqual([
      ['routine_tokens_reached', ['budget', 'retry']],
    ]);
    await t.window.must('routines.save', { id, draft: draft(null) });
    await t.window.must('thread.retry', { threadId });
    await t.window.until(isIdle);
    expect(t.window.lastAnswer).toBe('Nothing there.');
  });

  it.each(['thread', 'day'] as const)(
    'for a %s stops before the call, even after a restart, and continues once it is raised',
    async (which) => {
      const t = await threadOn(LOOKS);
      const set = (window: FakeWindow, amount: number | null) =>
        window.must('settings.change', {
          spending: { thread: null, day: null, [which]: amount },
        });
      await t.say('go');
      const { usage } = await t.window.until(isIdle);
      await set(t.window, (usage.costMicroDollars ?? 0) + 1);
      await t.say('more');
      const stopped = await t.window.until(isFailed);
      expect(noticesOf(stopped).map(({ error, actions }) => [error.kind, actions])).toEqual([
        ['spending_limit', ['ceiling', 'retry']],
      ]);
      expect(t.server.requests.length).toBe(2);

      // The host that was opened last.
      cleanups.pop();
      await t.host.close();
      const host = await startHost(t.dataDir);
      const window = new FakeWindow(host);
      await window.must('models.setKey', { provider: 'anthropic', key: 'test-key' });
      await window.open(t.threadId);
      await window.must('thread.retry', { threadId: t.threadId });
      await window.until(isFailed);
      expect([t.server.requests.length, noticesOf(window.state).length]).toEqual([2, 1]);
      await set(window, null);
      await window.must('thread.retry', { threadId: t.threadId });
      await window.until(isIdle);
      expect([window.lastAnswer, noticesOf(window.state)]).toEqual(['Nothing there.', []]);
      await host.close();
    },
  );

  it('refuses a model without a price and offers to enter one', async () => {
    const t = await threadOn(LOOKS);
    await t.window.must('models.override', { model: SONNET, override: { price: null } });
    await t.window.must('settings.change', { spending: { thread: 1_000_000, day: null } });
    await t.say('go');
    const state = await t.window.until(isFailed);
    expect(noticesOf(state).map(({ error, actions }) => [error.kind, actions])).toEqual([
      ['no_price', ['price', 'retry']],
    ]);
    expect(t.server.requests).toEqual([]);
  });

  it('includes a summary, which can be inspected too', async () => {
    const long = 'word '.repeat(9_000);
    const t = await threadOn(({ system }) =>
      /summar/iu.test(system.slice(0, 400)) ? { text: 'A summary.' } : { text: 'Noted.' },
    );
    await t.window.must('models.override', {
      model: SONNET,
      override: { price: PRICE, contextWindow: 40_000 },
    });
    for (const [index, text] of [long, long, long].entries()) {
      await t.say(`${index} ${text}`);
      await t.window.until((state) => isIdle(state) && answersOf(state).length === index + 1);
    }
    const state = t.window.state;
    if (state === undefined) throw new Error('No state.');
    const onAnswers = answersOf(state).reduce(
      (sum, { costMicroDollars }) => sum + (costMicroDollars ?? 0),
      0,
    );
    expect(state.messages.some(({ role }) => role === 'compaction')).toBe(true);
    expect(state.usage.costMicroDollars ?? 0).toBeGreaterThan(onAnswers);
    const { requests }: { requests: InspectedRequest[] } = await t.window.must('thread.inspect', {
      threadId: t.threadId,
    });
    expect(requests.map(({ isSummary }) => isSummary)).toEqual([false, true]);
  });
});

describe('a model that does not answer', () => {
  it('is retried, and the conversation says when', async () => {
    const t = await threadOn(LOOKS);
    t.server.failNext({ rateLimited: { retryAfter: 1 } });
    await t.say('go');
    const waiting = await t.window.until(({ turn }) => turn.phase === 'running' && turn.retry !== undefined);
    const { turn } = waiting;
    const retry = turn.phase === 'running' ? turn.retry : undefined;
    expect([retry?.attempt, retry?.error.kind, (retry?.until ?? 0) > Date.now() - 1_000]).toEqual([
      1,
      'rate_limited',
      true,
    ]);
    const state = await t.window.until(isIdle);
    expect([t.window.lastAnswer, state.turn]).toEqual(['Nothing there.', { phase: 'idle' }]);
    const told = t.window.events.filter(({ type }) => type === 'turn.retrying');
    expect(told.map((event) => 'retry' in event && event.retry !== null)).toEqual([true, false]);
  });

  it('is stopped while it waits for a retry', async () => {
    const t = await threadOn(LOOKS);
    t.server.failNext({ rateLimited: { retryAfter: 50 } });
    await t.say('go');
    await t.window.until(({ turn }) => turn.phase === 'running' && turn.retry !== undefined);
    await t.window.must('thread.stop', { threadId: t.threadId });
    expect([t.window.state?.turn.phase, t.server.requests.length]).toEqual(['idle', 1]);
  });

  it('is replaced by the fallback from the settings, and the conversation says so', async () => {
    const t = await threadOn(() => ({ fault: 'unauthorized' }));
    const other = await serve(t, 'openai', LOOKS);
    const change = (fallbacks: string[]) => t.window.client.call('settings.change', { fallbacks });
    expect(await change(['martian:gpt'])).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    expect(await change(['openai:gpt-4.1'])).toMatchObject({ ok: true });
    await t.say('go');
    const state = await t.window.until(isIdle);
    expect(t.window.lastAnswer).toBe('Nothing there.');
    expect(noticesOf(state).map(({ error, actions }) => [error.kind, inEnglish(error), actions])).toEqual([
      ['bad_key', `${SONNET} couldn't answer. openai:gpt-4.1 answers in its place until this turn ends.`, []],
    ]);
    expect(answersOf(state).map(({ model }) => model)).toEqual(['openai:gpt-4.1', 'openai:gpt-4.1']);
    expect([t.server.requests.length, other.requests.length]).toEqual([1, 2]);
  });
});

describe('sent requests', () => {
  const inspect = async (t: Given): Promise<InspectedRequest[]> => {
    const { requests }: { requests: InspectedRequest[] } = await t.window.must('thread.inspect', {
      threadId: t.threadId,
    });
    return requests;
  };

  it('can be inspected part by part, as the provider got them', async () => {
    const t = await threadOn(LOOKS);
    expect(await inspect(t)).toEqual([]);
    await t.say('what is there');
    await t.window.until(isIdle);
    const [request, ...others] = await inspect(t);
    expect(others).toEqual([]);
    if (request === undefined) throw new Error('Nothing was kept.');
    const sent = t.server.requests.at(-1)?.body as {
      system: { text: string }[];
      tools: { name: string; description: string }[];
      messages: unknown[];
    };
    const { parts } = request;
    expect([request.model, request.agent, request.tokens]).toEqual([
      SONNET,
      null,
      parts.reduce((sum, { tokens }) => sum + tokens, 0),
    ]);
    const tools = parts.filter(({ kind }) => kind === 'tool');
    expect(tools.map(({ title }) => title)).toEqual(sent.tools.map(({ name }) => name));
    const ofSystem = parts.flatMap(({ kind, text }) => (kind === 'system' ? [text] : []));
    expect(ofSystem).toEqual(sent.system.map(({ text }) => text.trim()));
    expect(parts.flatMap(({ kind, title }) => (kind === 'message' ? [title] : []))).toEqual([
      'user',
      'assistant',
      'tool ls',
    ]);
    expect(parts.every(({ tokens }) => tokens > 0)).toBe(true);
    expect(request.counted).toBeGreaterThan(0);
  });

  it('follow the profiles: prompt, suffix, descriptions and exclusions, the narrower one first', async () => {
    const t = await threadOn(LOOKS);
    const set = (scope: string, profile: object | null) =>
      t.window.client.call('profiles.change', { scope, profile } as never);
    await set('*', { systemPrompt: 'For all.', excludedTools: ['glob'] });
    await set('anthropic', { systemPrompt: 'For Claude.', systemPromptSuffix: 'Be kind.' });
    await set(SONNET, { toolDescriptions: { ls: 'Look around.' } });
    expect(await set('anthropic', { excludedTools: ['no_such_tool'] })).toMatchObject({
      ok: false,
      error: { kind: 'invalid' },
    });
    expect(await set('martian', {})).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    expect(await set('*', { excludedTools: ['read_file'] })).toMatchObject({ ok: false });
    await t.say('go');
    await t.window.until(isIdle);
    const body = t.server.requests.at(-1)?.body as {
      system: { text: string }[];
      tools: { name: string; description: string }[];
    };
    const [base] = body.system;
    expect([
      base?.text.startsWith('For Claude.\n\nProject folder:'),
      base?.text.endsWith('Be kind.'),
    ]).toEqual([true, true]);
    expect(body.tools.find(({ name }) => name === 'ls')?.description).toBe('Look around.');
    expect(body.tools.some(({ name }) => name === 'glob')).toBe(false);
    await set('*', null);
    await t.say('go');
    await t.window.until((state) => isIdle(state) && answersOf(state).length === 4);
    expect(JSON.stringify(t.server.requests.at(-1)?.body)).toContain('"glob"');
  });
});

describe.each(WIRES.map(({ provider, name }) => `${provider}:${name}`))('a thread on %s', (model) => {
  it('shows reasoning and sends it back unchanged', async () => {
    const script = inTurn([
      { reasoning: 'First I look.', text: 'I look.', calls: [{ name: 'ls', args: { path: '/' } }] },
      { reasoning: 'Now I know.', text: 'Nothing there.' },
    ]);
    const t = await threadOn(script, model);
    await t.say('go');
    const state = await t.window.until(isIdle);
    // The servers refuse modified reasoning, and show none if the model does not think.
    const answered = t.server.requests.filter(({ method }) => method === 'POST').map(({ status }) => status);
    expect([t.window.lastAnswer, answered]).toEqual(['Nothing there.', [200, 200]]);
    const thinks = answersOf(state).map(({ reasoning }) => reasoning);
    expect([
      ['First I look.', 'Now I know.'],
      ['', ''],
    ]).toContainEqual(thinks);
    expect(answersOf(state).every(({ usage, model: by }) => usage !== undefined && by === model)).toBe(true);
    const saved = await t.host.storage.checkpointer.getTuple({ configurable: { thread_id: t.threadId } });
    const held = (saved?.checkpoint.channel_values.messages ?? []) as unknown[];
    expect(held.filter((message) => AIMessage.isInstance(message)).length).toBe(2);
  });
});
