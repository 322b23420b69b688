import { type AgentContext, type ClientCapabilities, methods } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { EditorFiles, EditorTerminal, EditorTools } from './host';

const Read = z.object({ content: z.string() });

/** Milliseconds. The file on the disk is used if an editor does not answer. */
const READ_WITHIN = 10_000;

/** The tools that the editor's capabilities name, for one session. */
export function editorTools(
  client: AgentContext,
  capabilities: ClientCapabilities | undefined,
  sessionId: () => string,
): EditorTools {
  const { fs, terminal } = capabilities ?? {};
  return {
    ...(fs?.readTextFile === true ? { files: filesOf(client, fs.writeTextFile === true, sessionId) } : {}),
    ...(terminal === true
      ? {
          openTerminal: async ({ command, args, env, cwd, maxOutputBytes }) => {
            const opened = await client.createTerminal({
              sessionId: sessionId(),
              command,
              args: [...args],
              env: Object.entries(env).map(([name, value]) => ({ name, value })),
              cwd,
              outputByteLimit: maxOutputBytes,
            });
            return terminalOf(opened);
          },
        }
      : {}),
  };
}

function filesOf(client: AgentContext, writes: boolean, sessionId: () => string): EditorFiles {
  return {
    readText: async (path, signal) => {
      const request = { sessionId: sessionId(), path };
      try {
        const limit = AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(READ_WITHIN)]);
        const read = await client.request(methods.client.fs.readTextFile, request, {
          ...untilAborted(limit),
        });
        return Read.parse(read).content;
      } catch {
        signal?.throwIfAborted();
        // Not a file of the editor, or not a text.
        return null;
      }
    },
    ...(writes
      ? {
          writeText: async (path, content, signal) => {
            const request = { sessionId: sessionId(), path, content };
            await client.request(methods.client.fs.writeTextFile, request, signal && untilAborted(signal));
          },
        }
      : {}),
  };
}

/** Without the second, a request that is cancelled still waits for an answer, which some editors never give. */
const untilAborted = (signal: AbortSignal) => ({ cancellationSignal: signal, stopWaitingOnCancel: true });

type Opened = Awaited<ReturnType<AgentContext['createTerminal']>>;

const terminalOf = (opened: Opened): EditorTerminal => ({
  id: opened.id,
  exited: async () => ({ exitCode: (await opened.waitForExit()).exitCode ?? null }),
  output: async () => {
    const { output, truncated } = await opened.currentOutput();
    return { output, truncated };
  },
  kill: async () => void (await opened.kill()),
  release: async () => void (await opened.release()),
});
