import { describe, expect, it } from 'vitest';
import { results, setUp } from './testing/thread-agent';

describe('calls that can never run', () => {
  it('answers calls that can never run immediately, without asking the person', async () => {
    const t = setUp((_m, request) =>
      request === 0
        ? {
            calls: [
              { id: 'a', name: 'launch_rocket', args: { to: 'the moon' } },
              { id: 'b', name: 'execute', args: { cmd: 'one' } },
            ],
          }
        : { text: 'Done.' },
    );
    const state = await t.say('go');
    expect(await t.waiting()).toEqual([]);
    const [unknown, misfit] = results(state.messages);
    expect(unknown).toBe('a error: Error: launch_rocket was not run: there is no tool with that name.');
    expect(misfit).toMatch(
      /^b error: Error: execute was not run: its arguments do not match the schema \(command: /,
    );
  });

  it('refuses edited arguments that do not fit the tool, and runs nothing', async () => {
    const t = setUp((_m, request) =>
      request === 0 ? { calls: [{ id: 'a', name: 'execute', args: { command: 'one' } }] } : { text: 'Done.' },
    );
    await t.say('go');
    const state = await t.resume({ a: { type: 'edit', args: { file_path: '/x' } } });
    expect(t.commands).toEqual([]);
    expect(results(state.messages)[0]).toBe(
      'a error: Error: execute was not run: the person\'s arguments do not match the schema. "command" must be text.',
    );
  });

  it('gives up after three answers in a row with only unusable calls, and tries again on retry', async () => {
    const t = setUp((_m, request) =>
      request < 3 ? { calls: [{ name: 'nonsense', args: {} }] } : { text: 'Sorry.' },
    );
    await expect(t.say('go')).rejects.toThrow('3 times in a row');
    expect(t.model.requests).toHaveLength(3);
    const state = await t.agent().graph.invoke(null, t.config);
    expect(state.messages.at(-1)?.text).toBe('Sorry.');
  });

  it('does not count unusable calls if others ran', async () => {
    const t = setUp((_m, request) =>
      request < 4
        ? {
            calls: [
              { name: 'nonsense', args: {} },
              { name: 'ls', args: { path: '/' } },
            ],
          }
        : { text: 'Done.' },
    );
    expect((await t.say('go')).messages.at(-1)?.text).toBe('Done.');
  });
});
