import { client, methods } from '@agentclientprotocol/sdk';
import { MemorySaver } from '@langchain/langgraph';
import { afterEach, expect, it, vi } from 'vitest';
import { createDeepAgent } from '../agent/create-deep-agent';
import { ScriptedModel } from '../agent/testing/scripted-model';
import { deepAgentHost } from './deep-agent';
import type { EditorFiles, SessionPlace } from './host';
import { createAcpAgent } from './server';

afterEach(() => void vi.restoreAllMocks());

const never = () => new Promise<never>(() => undefined);

/** The files of an editor that takes requests and never answers them. */
async function inSilentEditor(work: (files: EditorFiles) => Promise<void>) {
  const places: SessionPlace[] = [];
  const host = deepAgentHost({
    info: { name: 'a', title: 'A', version: '1' },
    createAgent: (place) => {
      places.push(place);
      return createDeepAgent({
        model: new ScriptedModel(() => ({ text: '' })),
        checkpointer: new MemorySaver(),
      });
    },
  });
  await client()
    .onRequest(methods.client.fs.readTextFile, never)
    .onRequest(methods.client.fs.writeTextFile, never)
    .connectWith(createAcpAgent(host), async (agent) => {
      const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true } };
      await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities });
      await agent.request(methods.agent.session.new, { cwd: '/work', mcpServers: [] });
      const files = places[0]?.editor.files;
      if (files === undefined) throw new Error('The editor has no files.');
      await work(files);
    });
}

it('uses the disk in place of an editor that does not answer a read in time', async () => {
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  await inSilentEditor(async (files) => {
    const read = files.readText('/work/a.md');
    limit.abort(new DOMException('Too late.', 'TimeoutError'));
    expect(await read).toBeNull();
  });
});

it('stops waiting for an editor when the turn is cancelled', async () => {
  await inSilentEditor(async (files) => {
    for (const call of [
      (signal: AbortSignal) => files.readText('/work/a.md', signal),
      async (signal: AbortSignal) => files.writeText?.('/work/a.md', 'new', signal),
    ]) {
      const stop = new AbortController();
      const called = call(stop.signal);
      stop.abort(new Error('The person stopped it.'));
      await expect(called).rejects.toThrow();
    }
  });
});
