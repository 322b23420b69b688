import { describe, expect, it } from 'vitest';
import type { Hook } from './hook';
import type { HookExit } from './run-hook';
import { type HookRun, ToolHooks } from './tool-hooks';

const exited = (answer: object | string, code = 0): HookExit => ({
  kind: 'exited',
  code,
  answer: typeof answer === 'string' ? answer : JSON.stringify(answer),
  errors: '',
});
const hook = (name: string, more: Partial<Hook> = {}): Hook => ({
  name,
  event: 'before_tool',
  tools: [],
  paths: [],
  commands: [],
  command: name,
  timeoutSeconds: 7,
  onError: 'deny',
  ...more,
});
const call = { callId: 'c1', tool: 'execute', args: { command: 'ls' }, agent: null };
const { signal } = new AbortController();

function made(hooks: Hook[], exits: Record<string, HookExit>) {
  const inputs: unknown[] = [];
  const runs: HookRun[] = [];
  const tools = new ToolHooks({
    folder: '/project',
    about: { thread: 't1' },
    hooks: async () => hooks,
    run: async ({ name }, { input }) => {
      inputs.push(JSON.parse(input));
      return exits[name] ?? exited('');
    },
    onRan: (run) => runs.push(run),
  });
  return { tools, inputs, runs };
}

describe('hooks before a call', () => {
  it('get the event, the tool, its arguments and the thread', async () => {
    const { tools, inputs } = made([hook('a')], {});
    expect(await tools.before(call, signal)).toBeNull();
    expect(inputs).toEqual([
      {
        event: 'before_tool',
        hook: 'a',
        thread: 't1',
        call: 'c1',
        tool: 'execute',
        arguments: { command: 'ls' },
        agent: null,
      },
    ]);
  });

  it('deny it with their reason, and then no other hook runs', async () => {
    const { tools, runs } = made([hook('a'), hook('b')], { a: exited({ decision: 'deny', reason: 'no' }) });
    expect(await tools.before(call, signal)).toEqual({ hook: 'a', reason: 'no' });
    expect(runs.map((run) => [run.hook.name, run.denies])).toEqual([['a', 'no']]);
  });

  it.each<[Hook['onError'], boolean]>([
    ['deny', true],
    ['continue', false],
  ])('that fail deny it or not, as %s says', async (onError, denies) => {
    const { tools, runs } = made([hook('a', { onError })], { a: exited('garbage') });
    expect((await tools.before(call, signal)) !== null).toBe(denies);
    expect(runs[0]?.failure).toEqual({ kind: 'garbage' });
  });

  it('add to the result of the call, once', async () => {
    const { tools } = made([hook('a'), hook('b', { event: 'after_tool' })], {
      a: exited({ context: 'Generated file.' }),
      b: exited({ context: 'Formatted.' }),
    });
    expect(await tools.before(call, signal)).toBeNull();
    const result = { status: 'success', text: 'ok' } as const;
    expect(await tools.after(call, result, signal)).toEqual([
      { hook: 'a', context: 'Generated file.' },
      { hook: 'b', context: 'Formatted.' },
    ]);
    expect(await tools.after(call, result, signal)).toEqual([{ hook: 'b', context: 'Formatted.' }]);
  });

  it('run once for a call, and again if its arguments changed', async () => {
    const { tools, inputs } = made([hook('a')], {});
    await tools.before(call, signal);
    await tools.before(call, signal);
    expect(inputs).toHaveLength(1);
    await tools.before({ ...call, args: { command: 'rm a' } }, signal);
    expect(inputs).toHaveLength(2);
  });
});

describe('hooks after a call', () => {
  const after = hook('a', { event: 'after_tool' });

  it('get the result and add text to it, but deny nothing', async () => {
    const { tools, inputs, runs } = made([after], {
      a: exited({ decision: 'deny', context: 'two warnings' }),
    });
    const added = await tools.after(call, { status: 'success', text: 'done' }, signal);
    expect(added).toEqual([{ hook: 'a', context: 'two warnings' }]);
    expect(inputs[0]).toMatchObject({ result: { status: 'success', text: 'done' } });
    expect(runs[0]).not.toHaveProperty('denies');
  });

  it('do not run before it, nor at the end of the turn', async () => {
    const { tools, inputs } = made([after, hook('end', { event: 'turn_end' })], {});
    await tools.before(call, signal);
    expect(inputs).toEqual([]);
    await tools.end(signal);
    expect(inputs).toEqual([{ event: 'turn_end', hook: 'end', thread: 't1' }]);
  });
});
