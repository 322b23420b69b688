import type { Verdict } from '../../approvals/gate';
import { MAX_TIMER } from '../../base/timers';
import type { Project, TerminalInfo } from '../../contract/app';
import type { Rerun } from '../../contract/commands/terminal';
import type { TerminalId, ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import { because } from '../../contract/shared/reasons';
import type { RunOptions } from '../../harness';
import { JudgedOtherwise } from '../../harness/agent/start-check';
import { scrubEnv } from '../../harness/backends';
import { TOOLS } from '../../harness/tools/catalogue';
import { createCommandRunner } from '../../terminal/command-runner';
import type { TerminalSessions } from '../../terminal/sessions';
import type { SecretService } from '../project/access/secrets';
import type { Files } from '../project/files/files';
import type { ProjectRegistry } from '../project/projects';
import { type GateParts, gateOfCalls } from './call-gate';
import { lastCheck, MAX_ROUNDS } from './last-check';

export interface RunAgainParts extends GateParts {
  projects: ProjectRegistry;
  files: Files;
  terminals: TerminalSessions;
  secrets: SecretService;
}

/** A call that no model made. The id is constant, so that the same approval has the same digest. */
const CALL = 'run-again';
/** Milliseconds; a person's command runs until it exits or they stop it. */
const NO_TIMEOUT = MAX_TIMER;
/** Bytes of output inspected here: only for the reason of a failed start. */
const MAX_FAILURE_BYTES = 4_000;

/**
 * Judges an agent's command as of now, and runs it if that is allowed or the person confirmed exactly this. Errors:
 * `invalid` for a terminal of the person, `folder_gone`, `not_found`.
 */
export async function runAgain(
  parts: RunAgainParts,
  terminal: TerminalInfo,
  confirmed: string | undefined,
  signal: AbortSignal,
): Promise<Result<Rerun>> {
  const { projects, sandboxes, secrets } = parts;
  const { kind, threadId, projectId, command, cwd, machine } = terminal;
  if (kind !== 'agent' || threadId === null) return fail('invalid', 'rerun_agent_only');
  if (machine !== undefined) return ok({ status: 'denied', reason: [because('run_on_again', { machine })] });
  const found = await projects.present(projectId);
  if (!found.ok) return found;
  const project = found.value;
  await sandboxes.ready;
  const backend = await parts.files.backend(project, threadId);
  const guard = secrets.guardOf(threadId, backend);
  const gate = gateOfCalls(parts, { project, threadId, backend, guard, mcpTools: [], cwd });
  const call = { callId: CALL, tool: TOOLS.execute.name, args: { command } };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const judged = await gate.judge(call, signal);
    if (judged.verdict === 'deny') return ok({ status: 'denied', reason: judged.reason });
    if (judged.verdict === 'ask' && judged.question.digest !== confirmed) {
      const { reason, risk, digest } = judged.question;
      return ok({ status: 'ask', reason, risk, digest });
    }
    const restored = await guard.restore(call, signal);
    if ('refusal' in restored) return ok({ status: 'denied', reason: [restored.refusal] });
    const box = boxFor(parts, { project, threadId }, judged);
    if (box === null) return ok({ status: 'denied', reason: [because('sandbox_missing')] });
    try {
      return await start(parts, { project, threadId }, String(restored.args.command), {
        cwd,
        env: scrubEnv(parts.env),
        timeoutMs: NO_TIMEOUT,
        maxOutputBytes: MAX_FAILURE_BYTES,
        beforeStart: lastCheck(gate, { call, past: {}, judged }, signal),
        ...box,
      });
    } catch (error) {
      // Judge it again in its present state: it is not what was confirmed.
      if (!(error instanceof JudgedOtherwise)) throw error;
    }
  }
  return ok({ status: 'denied', reason: [because('keeps_changing')] });
}

/** The sandbox for the command as judged; null if it needs one and there is none. */
function boxFor(
  { sandboxes }: RunAgainParts,
  { project, threadId }: { project: Project; threadId: ThreadId },
  judged: Verdict,
): Pick<RunOptions, 'sandbox' | 'access'> | null {
  if (judged.verdict !== 'allow' || judged.confined === undefined) return {};
  const sandbox = sandboxes.of(project, threadId, () => undefined);
  return sandbox && { sandbox, access: judged.confined === 'read-only' ? 'read-only' : 'read-write' };
}

/**
 * Returns the terminal once it is open. Errors: `folder_gone` if it could not start. Rejects with `JudgedOtherwise` if the
 * last check fails.
 */
async function start(
  { terminals, secrets }: RunAgainParts,
  { project, threadId }: { project: Project; threadId: ThreadId },
  command: string,
  options: RunOptions,
): Promise<Result<Rerun>> {
  let told: (id: TerminalId) => void = () => undefined;
  const opened = new Promise<TerminalId>((resolve) => {
    told = resolve;
  });
  const runner = createCommandRunner(terminals, {
    projectId: project.id,
    threadId,
    onOpened: (id) => told(id),
    redaction: () => secrets.streamOf(threadId),
  });
  const over = runner.run(command, options);
  // Without a terminal the start failed, and the outcome says why.
  const first = await Promise.race([opened, over]);
  if (typeof first !== 'string') return fail('folder_gone', 'command_not_started', {}, first.output);
  const terminal = terminals.get(first);
  return terminal === null ? fail('not_found', 'terminal_gone') : ok({ status: 'started', terminal });
}
