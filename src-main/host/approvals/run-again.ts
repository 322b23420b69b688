import type { Project, TerminalInfo } from '../../contract/app';
import type { Rerun } from '../../contract/commands/terminal';
import type { TerminalId, ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import { scrubEnv } from '../../harness/backends';
import type { CommandRunner } from '../../harness/backends/protocol';
import { createCommandRunner } from '../../terminal/command-runner';
import type { TerminalSessions } from '../../terminal/sessions';
import type { Files } from '../project/files';
import type { ProjectRegistry } from '../project/projects';
import type { SecretService } from '../project/secrets';
import { type GateParts, gateOfCalls } from './call-gate';

export interface RunAgainParts extends GateParts {
  projects: ProjectRegistry;
  files: Files;
  terminals: TerminalSessions;
  secrets: SecretService;
}

/** A call that no model made; the same for each, so that the same question has the same digest. */
const CALL = 'run-again';
/** Milliseconds; a person's command ends when it is over, or when they stop it. */
const NO_TIMEOUT = 2 ** 31 - 1;
/** Bytes of its output that are looked at here: only why it could not be started. */
const SHOWN_OF_FAILURE = 4_000;

/**
 * Judges an agent's command as if it were asked for now, and runs it where it may, or where just this was confirmed.
 * Errors: `invalid` for a terminal of the person's own, `folder_gone`, `not_found`.
 */
export async function runAgain(
  parts: RunAgainParts,
  terminal: TerminalInfo,
  confirmed: string | undefined,
  signal: AbortSignal,
): Promise<Result<Rerun>> {
  const { projects, sandboxes, secrets } = parts;
  const { kind, threadId, projectId, command, cwd } = terminal;
  if (kind !== 'agent' || threadId === null)
    return fail('invalid', 'Only commands of the agent are run again from here.');
  const found = await projects.present(projectId);
  if (!found.ok) return found;
  const project = found.value;
  await sandboxes.ready;
  const backend = await parts.files.backend(project, threadId);
  const guard = secrets.guardOf(threadId, backend);
  const gate = gateOfCalls(parts, { project, threadId, backend, guard, mcpTools: [], cwd });
  const verdict = await gate.judge({ callId: CALL, tool: 'execute', args: { command } }, signal);
  if (verdict.verdict === 'deny') return ok({ status: 'denied', reason: verdict.reason });
  if (verdict.verdict === 'ask' && verdict.question.digest !== confirmed) {
    const { reason, risk, digest } = verdict.question;
    return ok({ status: 'ask', reason, risk, digest });
  }
  const restored = await guard.restore({ tool: 'execute', args: { command } }, signal);
  if ('refusal' in restored) return ok({ status: 'denied', reason: restored.refusal });
  const sandbox =
    verdict.verdict === 'allow' && verdict.confined !== undefined
      ? sandboxes.of(project, threadId, () => undefined)
      : null;
  const isReadOnly = verdict.verdict === 'allow' && verdict.confined === 'read-only';
  const access = isReadOnly ? 'read-only' : 'read-write';
  return start(parts, { project, threadId }, String(restored.args.command), {
    cwd,
    env: scrubEnv(parts.env),
    timeoutMs: NO_TIMEOUT,
    maxOutputBytes: SHOWN_OF_FAILURE,
    ...(sandbox === null ? {} : { sandbox, access }),
  });
}

/** Answers with the terminal once it is open. Errors: `folder_gone` where it could not be started. */
async function start(
  { terminals, secrets }: RunAgainParts,
  { project, threadId }: { project: Project; threadId: ThreadId },
  command: string,
  options: Parameters<CommandRunner['run']>[1],
): Promise<Result<Rerun>> {
  let told: (id: TerminalId) => void = () => undefined;
  const opened = new Promise<TerminalId>((resolve) => {
    told = resolve;
  });
  const runner = createCommandRunner(terminals, {
    projectId: project.id,
    threadId,
    onOpened: (id) => told(id),
    withheld: () => secrets.streamOf(threadId),
  });
  const over = runner.run(command, options);
  // Where it could not be started there is no terminal, and the outcome says why.
  const first = await Promise.race([opened, over]);
  if (typeof first !== 'string') return fail('folder_gone', first.output);
  const terminal = terminals.get(first);
  return terminal === null
    ? fail('not_found', 'This terminal no longer exists.')
    : ok({ status: 'started', terminal });
}
