import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseMessage } from '@langchain/core/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { ThreadState } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import { openStorage, type Storage } from '../../storage';
import { bundleHost } from '../testing/bundle-host';
import { ChildHost, type StartedHost } from '../testing/child-host';
import { temp } from '../testing/window';

/** Inside node_modules, so that the bundle finds the native packages. */
const bundle = join(import.meta.dirname, `../../../node_modules/.cache/deepdesk-steering-${process.pid}`);

beforeAll(() => bundleHost(bundle), 120_000);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

/** Maximum milliseconds for each wait on a busy machine. */
const WITHIN = 30_000;
const STEPS = 25;
const STEER = 'files *.md';
/** When the host is killed, and the delay in milliseconds. */
const MOMENTS = [
  { when: 'queued', delay: 0 },
  { when: 'queued', delay: 10 },
  { when: 'taken', delay: 0 },
  { when: 'taken', delay: 2 },
  { when: 'taken', delay: 6 },
  { when: 'answered', delay: 0 },
] as const;
/** The agent has answered after the message. */
const answered = (s: ThreadState) => {
  const at = s.messages.findIndex((message) => message.role === 'user' && message.text === STEER);
  return s.messages.slice(at + 1).find(({ role }) => role === 'agent');
};
const isIdle = (state: ThreadState) => (state.turn.phase === 'idle' ? state : undefined);

interface Place {
  dataDir: string;
  folder: string;
}

const start = (place: Place): Promise<StartedHost> =>
  ChildHost.start({ ...place, bundle, baseUrl: 'http://127.0.0.1:9' });

/** Reads the database file while no host runs. */
async function look<T>({ dataDir }: Place, see: (storage: Storage) => T | Promise<T>): Promise<T> {
  const opened = openStorage(join(dataDir, 'deepdesk.db'));
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  try {
    return await see(opened.value);
  } finally {
    opened.value.close();
  }
}

/** How often a text appears in the queue, in the person's messages, and in the agent's input. */
const countOf = (place: Place, threadId: ThreadId, text: string) =>
  look(place, async (storage) => {
    const tuple = await storage.checkpointer.getTuple({ configurable: { thread_id: threadId } });
    const known = (tuple?.checkpoint.channel_values.messages ?? []) as BaseMessage[];
    return {
      queued: storage.threads.get(threadId)?.queue.filter((one) => one.text === text).length,
      shown: storage.messages.all(threadId).filter((one) => one.role === 'user' && one.text === text).length,
      known: known.filter((one) => one.type === 'human' && one.text === text).length,
    };
  });

function place(): Place {
  const folder = temp('folder');
  writeFileSync(join(folder, 'a.txt'), 'text');
  return { folder, dataDir: temp('data') };
}

async function newThread(host: StartedHost): Promise<ThreadId> {
  const created = await host.client.call('thread.create', {
    projectId: host.project.projectId,
    model: 'offline:guide',
  });
  if (!created.ok) throw new Error(inEnglish(created.error));
  await host.open(created.value.id);
  return created.value.id;
}

describe('after kill -9', { timeout: 180_000 }, () => {
  it('a message for the next step is in the queue or the conversation, and reaches the agent once', async () => {
    for (const { when, delay } of MOMENTS) {
      const at = place();
      const host = await start(at);
      const threadId = await newThread(host);
      const text = Array.from({ length: STEPS }, () => 'read a.txt').join(' then ');
      const sent = await host.client.call('thread.send', { threadId, text });
      expect(sent.ok).toBe(true);
      await host.until('the first step', (s) => s.messages.find(({ role }) => role === 'agent'), WITHIN);
      const steered = await host.client.call('thread.send', { threadId, text: STEER });
      expect(steered.ok).toBe(true);
      const taken = (s: ThreadState) => (s.queue.length === 0 ? s : undefined);
      if (when !== 'queued') await host.until('the message to be taken', taken, WITHIN);
      if (when === 'answered') await host.until('the step after it', answered, WITHIN);
      await new Promise((resolve) => setTimeout(resolve, delay));
      host.kill();
      await host.ended;

      const before = await countOf(at, threadId, STEER);
      expect((before.queued ?? 0) + before.shown).toBe(1);
      expect(before.known).toBeLessThanOrEqual(before.shown);
      if (when === 'answered') expect(before.known).toBe(1);

      const again = await start(at);
      await again.open(threadId);
      if (again.state?.turn.phase === 'interrupted') await again.client.call('thread.retry', { threadId });
      await again.until('the end', (s) => (taken(s) ? isIdle(s) : undefined), WITHIN);
      await again.close();
      expect(await countOf(at, threadId, STEER)).toEqual({ queued: 0, shown: 1, known: 1 });
      const calls = await look(at, ({ messages }) =>
        messages.all(threadId).flatMap((message) => (message.role === 'agent' ? message.calls : [])),
      );
      expect(calls.filter(({ name, status }) => name === 'glob' && status === 'done')).toHaveLength(1);
      expect(calls.filter(({ name, status }) => name === 'read_file' && status === 'done')).toHaveLength(
        STEPS,
      );
    }
  });

  it('a fork exists completely or not at all, and its original is unchanged', async () => {
    for (const delay of [0, 3, 6, 12, 60]) {
      const at = place();
      const host = await start(at);
      const threadId = await newThread(host);
      await host.client.call('thread.send', { threadId, text: 'list files' });
      await host.until('the answer', (s) => (s.messages.length > 2 ? isIdle(s) : undefined), WITHIN);
      const before = host.state;
      const first = before?.messages[0]?.id;
      const last = before?.messages.at(-1)?.id;
      if (!first || !last) throw new Error('Nothing was said.');
      void host.client
        .call('thread.fork', { threadId, messageId: last, text: 'files *.md' })
        .catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, delay));
      host.kill();
      await host.ended;
      await look(at, async ({ threads, messages, checkpointer }) => {
        expect(messages.all(threadId)).toEqual(before?.messages);
        const forks = threads.summaries().filter(({ id }) => id !== threadId);
        expect(forks.length).toBeLessThanOrEqual(1);
        for (const { id, title, origin } of forks) {
          expect([title, origin?.threadId]).toEqual(['list files (2)', threadId]);
          const all = messages.all(id);
          expect(all.slice(0, before?.messages.length)).toEqual(before?.messages);
          const waits = threads.get(id)?.queue.map(({ text }) => text) ?? [];
          const said = all.flatMap((message) => (message.role === 'user' ? [message.text] : []));
          expect([...said, ...waits]).toEqual(['list files', 'files *.md']);
          const tuple = await checkpointer.getTuple({ configurable: { thread_id: id } });
          const known = (tuple?.checkpoint.channel_values.messages ?? []) as BaseMessage[];
          expect(known.slice(0, 4).map(({ type }) => type)).toEqual(['human', 'ai', 'tool', 'ai']);
        }
      });
    }
  });
});
