import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inEnglish } from '../../../../src-renderer/i18n/errors';
import type { CommandName, Input } from '../../../contract/commands';
import { ThreadId } from '../../../contract/ids';
import { fail } from '../../../contract/result';
import { isIdle, setUp, temp } from '../../testing/window';
import { ReadyRuns } from './ready-runs';

const write = (path: string, text: string) => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
};

const skill = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;

/** A host with a thread whose folder has instructions, a skill and an agent, and a prepared run for it. */
async function setUpReady() {
  const skills = temp('skills');
  write(join(skills, 'own', 'SKILL.md'), skill('own', "The app's."));
  const t = await setUp({ skillsFolder: skills });
  write(join(t.folder, 'AGENTS.md'), 'Be kind.');
  write(join(t.folder, '.deepdesk', 'skills', 'one', 'SKILL.md'), skill('one', 'First.'));
  write(
    join(t.folder, '.deepdesk', 'agents', 'clerk.md'),
    '---\nname: clerk\ndescription: Files.\n---\nFile.\n',
  );
  write(join(t.dataDir, 'mcp.json'), '{"mcpServers":{}}');
  const live = t.host.turns.thread(t.threadId);
  if (!live.ok) throw new Error(inEnglish(live.error));
  // A run depends on the sandbox, which a new host is still detecting.
  await t.window.must('sandbox.read', {});
  // The first run of a process loads what all runs need, which takes seconds on a busy machine.
  await t.host.ready.begin(t.threadId);
  // Recently written files must age a moment first.
  await vi.waitFor(async () => {
    await t.host.ready.begin(t.threadId);
    expect(await t.host.ready.has(t.threadId)).toBe(true);
  }, 10_000);
  const take = () => t.host.ready.take(live.value, new AbortController().signal);
  const command = <C extends CommandName>(name: C, input: Input<C>) =>
    t.window.must(name, input as Parameters<typeof t.window.must>[1]);
  return { ...t, skills, live: live.value, take, command };
}

type Ready = Awaited<ReturnType<typeof setUpReady>>;

afterEach(() => {
  vi.useRealTimers();
});

describe('a thread that a window shows', () => {
  const [short, long] = [ThreadId.parse('short'), ThreadId.parse('long')];
  const watched = () => {
    vi.useFakeTimers();
    const load = vi.fn(async () => undefined);
    const begun: ThreadId[] = [];
    const runs = new ReadyRuns({
      thread: (id) => {
        begun.push(id);
        return fail('not_found', 'thread_gone');
      },
      isRunning: () => false,
      stampOf: () => null,
      refresh: async () => true,
      load,
      isShort: (id) => id === short,
      make: async () => null,
      report: (error) => {
        throw error;
      },
    });
    return { load, begun, runs };
  };

  it('has the code of runs loaded once, and a run prepared if it is short', async () => {
    const { load, begun, runs } = watched();
    runs.opened(long);
    await vi.runAllTimersAsync();
    expect({ loads: load.mock.calls, begun }).toEqual({ loads: [[long]], begun: [] });
    runs.opened(short);
    await vi.runAllTimersAsync();
    expect({ loads: load.mock.calls.length, begun }).toEqual({ loads: 1, begun: [short] });
  });

  it('has nothing prepared if another thread is shown right away, or the app quits', async () => {
    const { load, begun, runs } = watched();
    runs.opened(short);
    runs.opened(long);
    await vi.runAllTimersAsync();
    runs.opened(short);
    await runs.close();
    runs.opened(short);
    await vi.runAllTimersAsync();
    expect({ loads: load.mock.calls, begun }).toEqual({ loads: [[long]], begun: [] });
  });
});

describe('a prepared run', () => {
  it('is used once if nothing changed', async () => {
    const t = await setUpReady();
    expect(await t.take()).toMatchObject({ agent: expect.anything(), observer: expect.anything() });
    expect(await t.take()).toBe(null);
  });

  it('is used if only unrelated things changed', async () => {
    const t = await setUpReady();
    write(join(t.folder, 'a.txt'), 'text');
    const at = new Date();
    utimesSync(t.folder, at, at);
    expect(await t.take()).not.toBe(null);
  });

  const changes: Record<string, (t: Ready) => unknown> = {
    'instructions are written otherwise': (t) => write(join(t.folder, 'AGENTS.md'), 'Be curt.'),
    'instructions are gone': (t) => rmSync(join(t.folder, 'AGENTS.md')),
    'the folder is a repository from now on': (t) => mkdirSync(join(t.folder, '.git')),
    'a skill is added to the folder': (t) =>
      write(join(t.folder, '.deepdesk', 'skills', 'two', 'SKILL.md'), skill('two', 'Second.')),
    'a skill of the folder says something else': (t) =>
      write(join(t.folder, '.deepdesk', 'skills', 'one', 'SKILL.md'), skill('one', 'Other.')),
    'a skill may not be read any more': (t) =>
      chmodSync(join(t.folder, '.deepdesk', 'skills', 'one', 'SKILL.md'), 0),
    'the folder has no skills any more': (t) =>
      rmSync(join(t.folder, '.deepdesk', 'skills'), { recursive: true }),
    "a skill of the person's is added": (t) =>
      write(join(t.dataDir, 'skills', 'mine', 'SKILL.md'), skill('mine', 'Mine.')),
    "a skill of the app's changes": (t) => write(join(t.skills, 'own', 'SKILL.md'), skill('own', 'New.')),
    'an agent of the folder changes': (t) =>
      write(
        join(t.folder, '.deepdesk', 'agents', 'clerk.md'),
        '---\nname: clerk\ndescription: Sorts.\n---\nSort.\n',
      ),
    "an agent of the person's is added": (t) =>
      write(join(t.dataDir, 'agents', 'mine.md'), '---\nname: mine\ndescription: Mine.\n---\nDo.\n'),
    'the folder brings servers': (t) =>
      write(join(t.folder, '.mcp.json'), '{"mcpServers":{"a":{"command":"true"}}}'),
    'the person adds a server': (t) =>
      write(join(t.dataDir, 'mcp.json'), '{"mcpServers":{"a":{"command":"true","disabled":true}}}'),
    'the folder is gone': (t) => rmSync(t.folder, { recursive: true }),
    "the thread's folder for outputs is gone": (t) =>
      rmSync(join(t.dataDir, 'command-output', t.threadId), { recursive: true }),
    'the thread has another model': (t) =>
      t.command('thread.setModel', { threadId: t.threadId, model: 'openai-compatible:other' }),
    'other models take over': (t) => t.command('settings.change', { fallbacks: ['ollama:other'] }),
    'a key was entered': (t) =>
      t.command('models.setKey', { provider: 'openai', key: 'sk-entered-just-now' }),
    'a provider has another address': (t) =>
      t.command('models.setBaseUrl', { provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1' }),
    'a model is said to be another': (t) =>
      t.command('models.override', { model: 'offline:guide', override: { contextWindow: 9_000 } }),
    'the agent is told otherwise': (t) =>
      t.command('profiles.change', { scope: '*', profile: { systemPromptSuffix: 'Be curt.' } }),
    'a memory is not to be sent': (t) =>
      t.command('memories.choose', { threadId: t.threadId, path: '/memories/a.md', choice: 'muted' }),
    'the project has another name': (t) =>
      t.command('project.rename', { projectId: t.projectId, name: 'Other' }),
    'secrets are no longer redacted': (t) =>
      t.command('secrets.guard', { projectId: t.projectId, on: false, confirmed: true }),
    'it is another day': () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * 60 * 1_000 });
    },
  };
  for (const [what, change] of Object.entries(changes))
    it(`is not used if ${what}`, async () => {
      const t = await setUpReady();
      await change(t);
      expect(await t.take()).toBe(null);
    });

  it('is checked when the message is sent, so that an earlier change still counts', async () => {
    const t = await setUpReady();
    write(join(t.folder, 'AGENTS.md'), 'Be curt.');
    t.host.ready.check(t.threadId);
    expect(await t.take()).toBe(null);
  });

  it('is not used if the thread was evicted and loaded again', async () => {
    const t = await setUpReady();
    await t.host.turns.discard(t.threadId);
    const live = t.host.turns.thread(t.threadId);
    if (!live.ok) throw new Error(inEnglish(live.error));
    expect(await t.host.ready.take(live.value, new AbortController().signal)).toBe(null);
  });

  it('is created when the person starts to write, and again when it is outdated', async () => {
    const t = await setUpReady();
    write(join(t.folder, 'AGENTS.md'), 'Be curt.');
    await vi.waitFor(async () => {
      await t.command('composer.started', { threadId: t.threadId });
      expect(await t.host.ready.has(t.threadId)).toBe(true);
      expect(await t.take()).not.toBe(null);
    }, 10_000);
  });

  it('is created again after each turn, and the next message gets its answer', async () => {
    const t = await setUpReady();
    for (const text of ['hello', 'create a.txt with "x"']) {
      await t.say(text);
      await t.window.until((state) => isIdle(state) || state.turn.phase === 'waiting');
      await vi.waitFor(async () => expect(await t.host.ready.has(t.threadId)).toBe(true), 10_000);
    }
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status }) => status)).toEqual(['done']);
    expect(t.reports).toEqual([]);
  });

  it('is not created for a missing thread', async () => {
    const t = await setUpReady();
    await t.host.turns.discard(t.threadId);
    t.host.storage.threads.erase(t.threadId);
    expect(await t.window.client.call('composer.started', { threadId: t.threadId })).toEqual({
      ok: true,
      value: {},
    });
  });
});
