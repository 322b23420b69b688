import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Command } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { because } from '../../../contract/shared/reasons';
import { FOLDER, results, setUp } from './testing/thread-agent';

describe('the harness', () => {
  it('judges a call by the arguments that its tool gets, whatever the model named them [H25]', async () => {
    const t = setUp((_m, request) =>
      request === 0
        ? { calls: [{ id: 'a', name: 'write_file', args: { path: `${FOLDER}/x`, content: 'new' } }] }
        : { text: 'Done.' },
    );
    await t.say('go');
    expect((await t.waiting()).map(({ value }) => value.args)).toEqual([
      { file_path: `${FOLDER}/x`, content: 'new' },
    ]);
    await t.resume({ a: { type: 'approve' } });
    expect([...t.files]).toEqual([[`${FOLDER}/x`, 'new']]);
  });

  it('runs an approved call, answers a rejected one, and leaves no call without a result [H52]', async () => {
    const t = setUp((_m, request) =>
      request === 0
        ? {
            calls: [
              { id: 'a', name: 'execute', args: { command: 'one' } },
              { id: 'b', name: 'execute', args: { command: 'two' } },
              { id: 'c', name: 'ls', args: { path: '/' } },
            ],
          }
        : { text: 'Done.' },
    );
    await t.say('go');
    expect((await t.waiting()).map((w) => w.value.callId)).toEqual(['a', 'b']);
    expect(t.commands).toEqual([]);

    const state = await t.resume({ a: { type: 'approve' }, b: { type: 'reject', message: 'too risky' } });

    expect(t.commands).toEqual(['one']);
    expect(results(state.messages)).toEqual([
      'a success: ran one\n[Command succeeded with exit code 0]',
      'b error: The person rejected this call, so it did not run. The person said: too risky',
      'c success: No files found in /',
    ]);
    expect(t.told.filter((line) => line.endsWith(' c'))).toEqual(['started c', 'done c']);
  });

  it('runs a decided call while its sibling keeps waiting, and never runs it again', async () => {
    const t = setUp((_m, request) =>
      request === 0
        ? {
            calls: [
              { id: 'a', name: 'execute', args: { command: 'one' } },
              { id: 'b', name: 'execute', args: { command: 'two' } },
            ],
          }
        : { text: 'Done.' },
    );
    await t.say('go');
    await t.resume({ a: { type: 'approve' } });
    expect(t.commands).toEqual(['one']);
    expect((await t.waiting()).map((w) => w.value.callId)).toEqual(['b']);

    await t.resume({ b: { type: 'approve' } });
    expect(t.commands).toEqual(['one', 'two']);
    expect(await t.waiting()).toEqual([]);
    expect(t.told.filter((line) => line === 'done a')).toEqual(['done a']);
  });

  it('runs nothing if a resume has no valid decision', async () => {
    const t = setUp((_m, request) =>
      request === 0 ? { calls: [{ id: 'a', name: 'execute', args: { command: 'one' } }] } : { text: 'Done.' },
    );
    await t.say('go');
    const [open] = await t.waiting();
    await t
      .agent()
      .graph.invoke(new Command({ resume: { [open?.id ?? '']: { decision: 'yes' } } }), t.config)
      .catch(() => undefined);
    expect(t.commands).toEqual([]);
  });

  it("runs the person's edited arguments and tells the model", async () => {
    const t = setUp((_m, request) =>
      request === 0 ? { calls: [{ id: 'a', name: 'execute', args: { command: 'one' } }] } : { text: 'Done.' },
    );
    await t.say('go');
    const state = await t.resume({ a: { type: 'edit', args: { command: 'better' } } });
    expect(t.commands).toEqual(['better']);
    expect(results(state.messages)).toEqual([
      'a success: [The person changed the arguments before this ran: {"command":"better"}]\nran better\n[Command succeeded with exit code 0]',
    ]);
  });

  it('accepts an answer instead of the result', async () => {
    const t = setUp((_m, request) =>
      request === 0 ? { calls: [{ id: 'a', name: 'execute', args: { command: 'one' } }] } : { text: 'Done.' },
    );
    await t.say('go');
    const state = await t.resume({ a: { type: 'respond', text: 'It prints 42.' } });
    expect(t.commands).toEqual([]);
    expect(results(state.messages)).toEqual(['a success: It prints 42.']);
  });

  it('asks inside a sub-agent under its name and continues where it stopped', async () => {
    const t = setUp((messages) => {
      const last = messages.at(-1);
      const isSub = messages.some((m) => HumanMessage.isInstance(m) && m.text === 'sub work');
      if (isSub) {
        return ToolMessage.isInstance(last)
          ? { text: `Report: ${last.text}` }
          : { calls: [{ id: 'inner', name: 'execute', args: { command: 'deep' } }] };
      }
      return ToolMessage.isInstance(last)
        ? { text: 'All done.' }
        : {
            calls: [
              { id: 't1', name: 'task', args: { description: 'sub work', subagent_type: 'general-purpose' } },
              { id: 'w', name: 'write_file', args: { file_path: '/notes.txt', content: 'scratch' } },
            ],
          };
    });
    await t.say('go');
    const open = await t.waiting();
    expect(open.map((w) => [w.value.callId, w.value.agent])).toEqual([['inner', 'general-purpose']]);

    const state = await t.resume({ inner: { type: 'approve' } });
    expect(t.commands).toEqual(['deep']);
    expect(results(state.messages)).toEqual([
      't1 success: Report: ran deep\n[Command succeeded with exit code 0]',
      "w success: Successfully wrote to '/notes.txt'",
    ]);
    expect(t.told.filter((line) => line.endsWith('started w'))).toEqual(['started w']);
    expect(t.told).toContain('general-purpose/asked inner');
  });

  it('returns a journaled result instead of running the call again', async () => {
    const t = setUp((_m, request) =>
      request === 0 ? { calls: [{ id: 'a', name: 'execute', args: { command: 'one' } }] } : { text: 'Done.' },
    );
    t.journal.table.set('a', { content: 'from before the kill', status: 'success' });
    const state = await t.say('go');
    expect(t.commands).toEqual([]);
    expect(results(state.messages)).toEqual(['a success: from before the kill']);
  });

  it('asks before it reruns a call that was running when the app was killed', async () => {
    const t = setUp((_m, request) =>
      request === 0
        ? { calls: [{ id: 'a', name: 'write_file', args: { file_path: '/memories/x.md', content: 'new' } }] }
        : { text: 'Done.' },
    );
    t.journal.table.set('a', null);
    await t.say('go');
    expect(t.files.size).toBe(0);
    const [open] = await t.waiting();
    expect(open?.value.question.reason).toContainEqual(because('started_before'));
    await t.resume({ a: { type: 'approve' } });
    expect([...t.files]).toEqual([['/memories/x.md', 'new']]);
  });

  it('answers dangling calls before the next turn, with the real result if there is one', async () => {
    const t = setUp((_m, request) =>
      request === 0
        ? {
            calls: [
              { id: 'a', name: 'execute', args: { command: 'one' } },
              { id: 'b', name: 'execute', args: { command: 'two' } },
            ],
          }
        : { text: 'Fine.' },
    );
    await t.say('go');
    t.journal.table.set('a', { content: 'it did run', status: 'success' });
    const state = await t.say('never mind');
    expect(results(state.messages)).toEqual([
      'a success: it did run',
      'b error: Tool call execute with id b was cancelled - another message came in before it could be completed.',
    ]);
    expect(t.commands).toEqual([]);
  });

  it('keeps the plan and reports it', async () => {
    const t = setUp((_m, request) =>
      request === 0
        ? {
            calls: [{ id: 'p', name: 'write_todos', args: { todos: [{ content: 'x', status: 'pending' }] } }],
          }
        : { text: 'ok' },
    );
    const state = await t.say('plan');
    expect(t.told).toContain('todos 1');
    expect(results(state.messages)).toHaveLength(1);
  });

  it('moves a large command result to a file and leaves a preview [H29]', async () => {
    const t = setUp((_m, request) =>
      request === 0
        ? { calls: [{ id: 'a', name: 'execute', args: { command: `${'x'.repeat(100_000)}` } }] }
        : { text: 'ok' },
    );
    await t.say('go');
    const state = await t.resume({ a: { type: 'approve' } });
    const [path] = [...t.files.keys()];
    expect(path).toMatch(/^\/large_tool_results\/a-[0-9a-f]{8}\.txt$/);
    expect(t.files.get(path ?? '')).toContain('[Command succeeded with exit code 0]');
    expect(results(state.messages)[0]).toContain(`was saved at ${path}`);
  });

  it.each(['c', ''])('runs the calls of several answers with the same id %j', async (id) => {
    const t = setUp((messages, request) => {
      if (request === 0 || ToolMessage.isInstance(messages.at(-1))) return { id, text: `Done ${request}.` };
      return { id, calls: [{ name: 'write_file', args: { file_path: '/memories/a.md', content: 'x' } }] };
    });
    await t.say('hello');
    const { messages } = await t.say('go');
    expect([...t.files.keys()]).toEqual(['/memories/a.md']);
    expect(messages.map((message) => message.type)).toEqual(['human', 'ai', 'human', 'ai', 'tool', 'ai']);
  });

  it("runs a sub-agent's call with an id of its parent instead of returning the parent's result", async () => {
    const seen = new Set<string>();
    const t = setUp(
      (messages) => {
        const last = messages.at(-1);
        const isSub = messages.some((m) => HumanMessage.isInstance(m) && m.text === 'sub work');
        const file = isSub ? '/memories/sub.md' : '/memories/parent.md';
        const write = { id: 'call_0', name: 'write_file', args: { file_path: file, content: 'x' } };
        if (!ToolMessage.isInstance(last)) return { calls: [write] };
        if (isSub || last.name === 'task') return { text: 'Done.' };
        return {
          calls: [
            { id: 't', name: 'task', args: { description: 'sub work', subagent_type: 'general-purpose' } },
          ],
        };
      },
      { isKnownCall: (callId) => seen.has(callId) || !seen.add(callId) },
    );
    await t.say('go');
    expect([...t.files.keys()]).toEqual(['/memories/parent.md', '/memories/sub.md']);
  });

  it('fails with a refusal when the model declines, and runs none of its calls', async () => {
    const t = setUp(() => ({ text: 'No.', calls: [{ name: 'ls', args: { path: '/' } }] }), {
      isRefusal: () => true,
    });
    await expect(t.say('go')).rejects.toMatchObject({ name: 'RefusedError' });
    expect(t.told).toEqual(['model started', 'model failed']);
  });

  it('tells the model in the name of Deepdesk which instructions and skills changed', async () => {
    const t = setUp(() => ({ text: 'Done.' }), { memory: ['/AGENTS.md'], skills: ['/skills/new/'] });
    t.files.set('/AGENTS.md', 'Use tabs.');
    await t.say('one');
    t.files.set('/AGENTS.md', 'Use spaces.');
    t.files.set('/skills/new/SKILL.md', '---\nname: new\ndescription: Brand new.\n---\n');
    const { messages } = await t.say('two');
    const notes = messages.filter((message) => message.additional_kwargs.lc_source !== undefined);
    expect(notes.map((note) => note.text.split('\n').slice(0, 2))).toEqual([
      ['<note from="Deepdesk">', 'New or changed skills:'],
      ['<note from="Deepdesk">', '/AGENTS.md changed. It now says:'],
    ]);
  });
});
