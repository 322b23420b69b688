import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { createAgent } from 'langchain';
import { createFilesystemMiddleware } from '../../agent/middleware/filesystem';
import { memoryBackend } from '../../agent/testing/memory-backend';
import { ScriptedModel } from '../../agent/testing/scripted-model';
import type { BackendProtocol } from '../../backends/protocol';

export const memory = () =>
  memoryBackend(new Map(), async () => ({ output: '', exitCode: 0, truncated: false }));

/** Runs some calls and returns the text and status of their results. */
export async function results(
  backend: BackendProtocol,
  ...calls: { name: string; args: Record<string, unknown> }[]
) {
  const agent = createAgent({
    model: new ScriptedModel((_m, request) => (request === 0 ? { calls } : { text: 'Done.' })),
    middleware: [createFilesystemMiddleware({ backend })],
  });
  const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] });
  return messages.filter((m) => ToolMessage.isInstance(m)).map((m) => [m.status, m.text]);
}
