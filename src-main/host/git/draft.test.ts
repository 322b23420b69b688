import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeTreeSync } from '../../base/remove-tree';
import type { Storage } from '../../storage';
import type { ModelService } from '../settings/model-service';
import type { LiveThread } from '../threads/live-thread';
import { draftMessage } from './draft';
import { withRepository } from './repository';

let folder: string;
const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-draft-')));
  execFileSync('git', ['init', '-q'], { cwd: folder, env });
});
afterEach(() => removeTreeSync(folder));

function draft(model: string, answer: () => string) {
  const sent: BaseMessage[] = [];
  const models = {
    forRun: async () => ({
      ok: true,
      value: {
        first: { chat: {}, explain: () => ({ kind: 'network', code: 'external', values: { text: 'down' } }) },
        calls: {
          invoke: async (_chat: unknown, messages: BaseMessage[]) => {
            sent.push(...messages);
            return new AIMessage(answer());
          },
        },
      },
    }),
  } as unknown as ModelService;
  const live = { id: 't', state: { thread: { id: 't', model } } } as unknown as LiveThread;
  const redact = (text: string) => text.replace('hunter2', '[secret]');
  const parts = { models, storage: {} as Storage, redact };
  const signal = new AbortController().signal;
  const done = withRepository(folder, env, (repository) => draftMessage(repository, live, parts, signal));
  return { done, sent };
}

const stage = () => {
  writeFileSync(join(folder, 'a.txt'), 'password hunter2\n');
  execFileSync('git', ['add', '.'], { cwd: folder, env });
};

it('asks the model with the staged diff, without secrets', async () => {
  stage();
  writeFileSync(join(folder, 'b.txt'), 'not staged\n');
  const { done, sent } = draft('x:y', () => '```\nAdd a password\n```');
  expect(await done).toEqual({ ok: true, value: { message: 'Add a password', costMicroDollars: null } });
  expect(sent.at(-1)?.text).toContain('+password [secret]');
  expect(sent.at(-1)?.text).not.toContain('not staged');
});

it('asks nothing if nothing is staged, and the offline assistant never', async () => {
  const first = draft('x:y', () => 'm');
  expect(await first.done).toMatchObject({ ok: false, error: { code: 'git_nothing_staged' } });
  stage();
  const second = draft('offline:assistant', () => 'm');
  expect(await second.done).toMatchObject({ ok: true, value: { message: 'Change a.txt' } });
  expect([...first.sent, ...second.sent]).toEqual([]);
});

it('tells why the model did not answer', async () => {
  stage();
  const { done } = draft('x:y', () => {
    throw new Error('down');
  });
  expect(await done).toMatchObject({ ok: false, error: { kind: 'network' } });
});
