import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { inTurn, type Step } from '../../../e2e/providers/script';
import type { ProviderServer } from '../../../e2e/providers/server';
import type { ProviderId } from '../../contract/app';
import { pngOf } from '../../harness/agent/media/testing/files';
import { startProvider } from '../../models/testing/provider-servers';
import { cleanups, isIdle, setUp } from '../testing/window';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Milliseconds for whole threads on a busy machine. */
const SLOW = 60_000;

async function serve(t: Awaited<ReturnType<typeof setUp>>, provider: ProviderId, steps: [Step, ...Step[]]) {
  const server = await startProvider(provider, inTurn(steps));
  servers.push(server);
  await t.window.must('models.setBaseUrl', { provider, baseUrl: server.url });
  await t.window.must('models.setKey', { provider, key: 'test-key' });
  return server;
}

/** A thread in which a model with vision has read an image, and then listed files. */
async function threadWith(png: Uint8Array, looks: number) {
  const t = await setUp();
  const path = join(t.folder, 'a.png');
  writeFileSync(path, png);
  const look: Step = { calls: [{ name: 'ls', args: { path: '/' } }] };
  const server = await serve(t, 'anthropic', [
    { calls: [{ name: 'read_file', args: { path } }] },
    ...Array.from({ length: looks }, () => look),
    { text: 'Noise.' },
  ]);
  await t.window.must('thread.setModel', { threadId: t.threadId, model: 'anthropic:claude-sonnet-4-5' });
  await t.say('What is in it?');
  await t.window.until(isIdle);
  return { ...t, server, path, data: Buffer.from(png).toString('base64') };
}

describe('an image that the agent reads', () => {
  it(
    'reaches the model and the window',
    async () => {
      const t = await threadWith(pngOf(40, 30), 0);
      const asked = JSON.stringify(t.server.requests[1]?.body);
      expect(asked).toContain(`"source":{"type":"base64","media_type":"image/png","data":"${t.data}"}`);
      const [call] = t.window.calls;
      expect(call).toMatchObject({
        args: { file_path: t.path },
        status: 'done',
        result: '[Image a.png: PNG, 40 x 30 pixels, 75 bytes]',
        media: [{ kind: 'image', mimeType: 'image/png', name: 'a.png', width: 40, height: 30 }],
      });
      expect(
        await t.window.must('thread.media', { threadId: t.threadId, mediaId: call?.media?.[0]?.id ?? '' }),
      ).toEqual({ mimeType: 'image/png', data: t.data });
    },
    SLOW,
  );

  it(
    'becomes a sentence for a model without vision, and the thread continues',
    async () => {
      const t = await threadWith(pngOf(40, 30), 0);
      const blind = await serve(t, 'ollama', [{ text: 'I cannot see it.' }]);
      await t.window.must('thread.setModel', { threadId: t.threadId, model: 'ollama:qwen3' });
      await t.say('And now?');
      await t.window.until((state) => isIdle(state) && blind.requests.length > 0);
      const asked = JSON.stringify(blind.requests.at(-1)?.body);
      expect(asked).toContain('was left out: the current model does not support images.]');
      expect(asked).not.toContain(t.data);
    },
    SLOW,
  );

  it(
    'is stored once, however many steps follow',
    async () => {
      const t = await threadWith(pngOf(900, 700, true), 12);
      // Closing moves the log's content into the database.
      await t.host.close();
      cleanups.splice(cleanups.length - 1, 1);
      const { size } = statSync(join(t.dataDir, 'deepdesk.db'));
      expect(size / t.data.length).toBeLessThan(1.8);
    },
    SLOW,
  );
});
