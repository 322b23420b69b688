import { z } from 'zod';
import { type BackendProtocol, isSandboxBackend } from '../../backends/protocol';
import { DEFAULT_EXECUTE_TIMEOUT, MAX_EXECUTE_TIMEOUT } from '../limits';
import { defineTool, failure, success } from './define-tool';

const NO_EXECUTE =
  "Error: Execution not available. This agent's backend does not support command execution (SandboxBackendProtocol).";

export const executeTool = (
  backend: BackendProtocol,
  description: string,
  maxTimeout = MAX_EXECUTE_TIMEOUT,
) =>
  defineTool({
    name: 'execute',
    description,
    schema: z.object({
      command: z.string().describe('Shell command'),
      timeout: z
        .number()
        .nullable()
        .default(null)
        .describe(
          `Seconds until it is ended; ${DEFAULT_EXECUTE_TIMEOUT} unless given, at most ${maxTimeout}`,
        ),
    }),
    run: async ({ command, timeout }, { callId, signal }) => {
      if (!isSandboxBackend(backend)) return failure(NO_EXECUTE);
      if (timeout !== null && timeout <= 0) return failure(`timeout must be positive, got ${timeout}.`);
      if (timeout !== null && timeout > maxTimeout) {
        return failure(`timeout ${timeout}s exceeds maximum allowed (${maxTimeout}s).`);
      }
      const timeoutMs = (timeout ?? DEFAULT_EXECUTE_TIMEOUT) * 1_000;
      const result = await backend.execute(command, { callId, signal, timeoutMs });
      const verdict = result.exitCode === 0 ? 'succeeded' : 'failed';
      const status =
        result.exitCode === null ? '' : `\n[Command ${verdict} with exit code ${result.exitCode}]`;
      const cut = result.truncated ? '\n[Output was truncated due to size limits]' : '';
      const text = `${result.output}${status}${cut}`;
      return result.exitCode === 0
        ? success(text, { exitCode: 0 })
        : { ok: false, text, artifact: { exitCode: result.exitCode } };
    },
  });
