import { z } from 'zod';
import { optional } from '../../contract/shared/optional';
import { DEFAULT_EXECUTE_TIMEOUT, MAX_EXECUTE_TIMEOUT } from '../agent/limits';
import { startCheck } from '../agent/start-check';
import { COMMAND_STOPPED, leave } from '../agent/stopped';
import {
  type ExecuteOptions,
  isSandboxBackend,
  type PrintedOutput,
  type SandboxBackendProtocol,
} from '../backends/commands';
import type { BackendProtocol } from '../backends/protocol';
import { defineTool, failure, success, type ToolOutcome } from './define-tool';
import { execute } from './descriptors/execute';
import { jobOutput, stopJob } from './descriptors/jobs';

const NO_EXECUTE =
  "Error: Execution not available. This agent's backend does not support command execution (SandboxBackendProtocol).";

/** Seconds that a command may take. */
interface TimeLimits {
  /** If its call does not say. */
  byDefault: number;
  /** Whatever its call says. */
  most: number;
}

/** A default of the backend above the maximum raises it, unless the program has set the maximum. */
function limitsOf(backend: BackendProtocol, maxTimeout: number | undefined): TimeLimits {
  const own = isSandboxBackend(backend) ? backend.commandTimeout : undefined;
  const wanted = own ?? DEFAULT_EXECUTE_TIMEOUT;
  const most = maxTimeout ?? Math.max(MAX_EXECUTE_TIMEOUT, wanted);
  return { byDefault: wanted === 0 ? most : Math.min(wanted, most), most };
}

const timeoutWithin = ({ byDefault, most }: TimeLimits) =>
  z
    .number()
    .nullable()
    .default(null)
    .describe(`Timeout in seconds. Default ${byDefault}, maximum ${most}; 0 means the maximum`);

const inputOf = (limits: TimeLimits) =>
  z.object({ command: z.string().describe('Shell command'), timeout: timeoutWithin(limits) });

const jobInputOf = (limits: TimeLimits) =>
  z.object({
    command: z.string().describe('Shell command'),
    background: z
      .boolean()
      .default(false)
      .describe('Run the command as a background job, for example a server'),
    timeout: timeoutWithin(limits),
  });

/** Offered where commands may be sandboxed. The gate sees this argument and always asks the person. */
const OUTSIDE = {
  outside_sandbox: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'Set only if the sandbox blocked something that the command needs: the reason to run it outside the sandbox. The person must approve',
    ),
};

/** Offered where places on other machines run commands. The gate sees this argument and always asks the person. */
const onPlace = (places: readonly string[]) => ({
  place: z
    .enum(places)
    .nullable()
    .default(null)
    .describe('Run the command on the machine of this place, in its folder. Default: this computer'),
});

type Input = ReturnType<typeof inputOf> | ReturnType<typeof jobInputOf>;
const inputs = new Map<string, Input>();

/** Cached per variant: building a schema costs more than running most calls. */
function inputFor(backend: BackendProtocol, limits: TimeLimits): Input {
  const runner = isSandboxBackend(backend) ? backend : null;
  const hasJobs = runner?.jobs !== undefined;
  const isConfined = runner?.confines === true;
  const places = runner?.commandPlaces ?? [];
  const key = JSON.stringify([hasJobs, isConfined, limits, places]);
  const plain = () => (hasJobs ? jobInputOf(limits) : inputOf(limits));
  const more = { ...(isConfined ? OUTSIDE : {}), ...(places.length > 0 ? onPlace(places) : {}) };
  const made = inputs.get(key) ?? plain().extend(more);
  inputs.set(key, made);
  return made;
}

export function executeTool(backend: BackendProtocol, description: string, maxTimeout?: number) {
  const limits = limitsOf(backend, maxTimeout);
  return defineTool({
    name: execute.name,
    description,
    schema: inputFor(backend, limits),
    run: async (input, { callId, signal }) => {
      const { command, timeout } = input;
      if (!isSandboxBackend(backend)) return failure(NO_EXECUTE);
      if (timeout !== null && timeout < 0) return failure(`timeout must not be negative, got ${timeout}.`);
      if (timeout !== null && timeout > limits.most) {
        return failure(`timeout ${timeout}s exceeds maximum allowed (${limits.most}s).`);
      }
      if (command.includes('\0')) return failure('The command must not contain a NUL character.');
      if ('background' in input && input.background) {
        return startJob(backend, command, {
          callId,
          signal,
          ...placeIn(input),
          ...beforeStart(),
          ...(timeout === null || timeout === 0 ? {} : { timeoutMs: timeout * 1_000 }),
        });
      }
      const timeoutMs = (timeout === 0 ? limits.most : (timeout ?? limits.byDefault)) * 1_000;
      let tell: (left: string | null) => void = () => undefined;
      leave(new Promise((resolve) => (tell = resolve)));
      const onStopped = (printed: PrintedOutput) => tell(stoppedCommand(printed));
      const options = { callId, signal, timeoutMs, onStopped, ...placeIn(input), ...beforeStart() };
      const running = backend.execute(command, options);
      const result = await running.catch(notStarted).finally(() => tell(null));
      if ('text' in result) return result;
      const verdict = result.exitCode === 0 ? 'succeeded' : 'failed';
      const status =
        result.exitCode === null ? '' : `\n[Command ${verdict} with exit code ${result.exitCode}]`;
      const where = result.outputFile === undefined ? '' : `; the whole output is in ${result.outputFile}`;
      const cut = result.truncated ? `\n[Output was truncated due to size limits${where}]` : '';
      const text = `${withoutStatus(result)}${status}${cut}`;
      const { exitCode, refused, timedOut } = result;
      const artifact = { exitCode, ...optional({ refused, timedOut }) };
      return exitCode === 0 ? success(text, artifact) : { ok: false, text, artifact };
    },
  });
}

/** For a backend that rejects if the system does not start its shell, as for a long command. */
function notStarted(error: unknown): ToolOutcome {
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (syscall?.startsWith('spawn') !== true) throw error;
  return failure(`The command could not be started: ${message}`);
}

/** A command's output without the lines that the tool adds at its end. */
export const withoutVerdict = (text: string): string =>
  text.replace(
    /\n\[Command (?:succeeded|failed) with exit code \d+\](?:\n\[Output was truncated[^\n]*\])?$/,
    '',
  );

/** The schema has it only where it is offered. */
const placeIn = (input: object): Pick<ExecuteOptions, 'place'> =>
  'place' in input && typeof input.place === 'string' ? { place: input.place } : {};

function beforeStart(): Pick<ExecuteOptions, 'beforeStart'> {
  const check = startCheck();
  return check === undefined ? {} : { beforeStart: check };
}

/** Removes the exit code that a local shell appends to a failed command's output. The tool states it once. */
function withoutStatus({ output, exitCode }: { output: string; exitCode: number | null }): string {
  if (exitCode === null || exitCode === 0) return output;
  const stated = `\n\nExit code: ${exitCode}`;
  const at = output.lastIndexOf(stated);
  const after = output.slice(at + stated.length);
  // Only bracketed notes may follow it.
  return at === -1 || !/^(\n\[[^\n]*\])*$/.test(after) ? output : output.slice(0, at) + after;
}

/** What the model is told about a command that the person stopped, once the thread continues. */
function stoppedCommand({ output, truncated }: PrintedOutput): string {
  const shown = output.trim() === '' ? 'It printed nothing.' : output.trimEnd();
  const cut = truncated ? '\n[Output was truncated due to size limits]' : '';
  return `${shown}${cut}\n${COMMAND_STOPPED}`;
}

/** What the model is told about a job that keeps running, or one that exited right away. */
async function startJob(
  backend: SandboxBackendProtocol,
  command: string,
  options: ExecuteOptions,
): Promise<ToolOutcome> {
  const started = await backend.execute(command, { ...options, background: true }).catch(notStarted);
  if ('text' in started) return started;
  const { output, exitCode, jobId, outputFile } = started;
  if (jobId === undefined) {
    const text = `${withoutStatus({ output, exitCode })}\n[The job exited immediately${exitCode === null ? '' : ` with code ${exitCode}`}]`;
    return { ok: exitCode === 0, text, artifact: { exitCode } };
  }
  const shown = output.trim() === '' ? 'It has printed nothing yet.' : `Output so far:\n${output.trimEnd()}`;
  const kept = outputFile === undefined ? '' : `All output is saved in ${outputFile}. `;
  return success(
    `Started as job ${jobId}. ${kept}Check it with ${jobOutput.name} and stop it with ${stopJob.name}. It stops when the app closes.\n${shown}`,
  );
}
