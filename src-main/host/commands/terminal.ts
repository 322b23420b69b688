import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Project, TerminalInfo } from '../../contract/app';
import type { Rerun } from '../../contract/commands/terminal';
import type { TerminalId, ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { Handlers } from '../../contract/rpc';
import { optional } from '../../contract/shared/optional';
import { scrubEnv } from '../../harness/backends';
import type { Storage } from '../../storage';
import { createCommandRunner } from '../../terminal/command-runner';
import { plainText } from '../../terminal/plain-text';
import type { TerminalSessions } from '../../terminal/sessions';
import { gateOfCalls } from '../approvals/call-gate';
import type { Files } from '../project/files';
import { toMount } from '../project/mount-paths';
import type { ProjectRegistry } from '../project/projects';
import type { Sandboxes } from '../project/sandboxes';
import type { SecretService } from '../project/secrets';
import type { Connection } from '../window/connection';
import type { ShellServices } from '../window/desktop-services';

interface Parts {
  storage: Storage;
  projects: ProjectRegistry;
  files: Files;
  terminals: TerminalSessions;
  sandboxes: Sandboxes;
  secrets: SecretService;
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  shell: ShellServices;
}

type TerminalCommand = Extract<
  keyof Handlers<Connection>,
  `terminal.${'rename' | 'programs' | 'paste' | 'text' | 'rerun' | 'reopen' | 'locate'}`
>;

/** A call that no model made; the same for each, so that the same question has the same digest. */
const CALL = 'run-again';
/** Milliseconds; a person's command ends when it is over, or when they stop it. */
const NO_TIMEOUT = 2 ** 31 - 1;
/** Bytes of its output that are looked at here: only why it could not be started. */
const SHOWN_OF_FAILURE = 4_000;
/** What follows the output of an earlier shell: colours and modes as at first, and a line of its own. */
const AFTER_PAST = '\x1b[!p\x1b[0m\r\n';
const [OWN_SCREEN, LEAVE_SCREEN] = ['\x1b[?1049h', '\x1b[?1049l'];
const GONE = 'This terminal no longer exists.';

/** What a person does with terminals beyond looking and typing. */
export function terminalHandlers(parts: Parts): Pick<Handlers<Connection>, TerminalCommand> {
  const { projects, terminals } = parts;

  const known = (id: TerminalId): Result<TerminalInfo> => {
    const info = terminals.get(id);
    return info === null ? fail('not_found', GONE) : ok(info);
  };

  return {
    'terminal.rename': ({ terminalId, title }) => terminals.rename(terminalId, oneLine(title)),
    'terminal.programs': ({ terminalId }) => terminals.programs(terminalId),
    'terminal.paste': () => {
      parts.shell.paste?.();
      return ok({});
    },
    'terminal.text': ({ terminalId }) => {
      const recorded = terminals.recorded(terminalId);
      return recorded.ok ? ok({ text: plainText(recorded.value.data) }) : recorded;
    },
    'terminal.rerun': async ({ terminalId, confirmed }, _connection, signal) => {
      const info = known(terminalId);
      if (!info.ok) return info;
      const { kind, threadId, projectId, command, cwd } = info.value;
      if (kind !== 'agent' || threadId === null)
        return fail('invalid', 'Only commands of the agent are run again from here.');
      const project = await projects.present(projectId);
      if (!project.ok) return project;
      return rerun(parts, project.value, { threadId, command, cwd, confirmed, signal });
    },
    'terminal.reopen': async ({ terminalId }) => {
      const info = known(terminalId);
      if (!info.ok) return info;
      const { kind, projectId, cwd, cols, rows, title, endedAt } = info.value;
      if (kind !== 'person') return fail('invalid', 'Only terminals of your own are started again.');
      if (endedAt === null) return fail('conflict', 'This terminal still runs.');
      const project = await projects.present(projectId);
      if (!project.ok) return project;
      const folder = await stat(cwd).catch(() => null);
      await terminals.prepare();
      const recorded = terminals.recorded(terminalId);
      const past = recorded.ok && recorded.value.data !== '' ? asPast(recorded.value.data) : '';
      const opened = terminals.open({
        kind: 'person',
        projectId,
        threadId: null,
        callId: null,
        command: '',
        cwd: folder?.isDirectory() ? cwd : project.value.folder,
        cols,
        rows,
        past,
        ...optional({ title }),
        env: { HOME: homedir(), ...scrubEnv(parts.env) },
      });
      if (!opened.ok) return opened;
      await terminals.close(terminalId);
      return ok(opened.value.info);
    },
    'terminal.locate': async ({ terminalId, words }) => {
      const info = known(terminalId);
      if (!info.ok) return info;
      const project = projects.get(info.value.projectId);
      if (!project.ok) return project;
      const folder = terminals.folderOf(terminalId) ?? project.value.folder;
      const home = scrubEnv(parts.env).HOME ?? homedir();
      return ok({ paths: await Promise.all(words.map((word) => locate(word, project.value, folder, home))) });
    },
  };
}

/** Judges the command as if it were asked for now, and runs it where it may, or where just this was confirmed. */
async function rerun(
  parts: Parts,
  project: Project,
  run: {
    threadId: ThreadId;
    command: string;
    cwd: string;
    confirmed: string | undefined;
    signal: AbortSignal;
  },
): Promise<Result<Rerun>> {
  const { terminals, sandboxes, secrets } = parts;
  const { threadId, command, cwd, confirmed, signal } = run;
  await sandboxes.ready;
  const backend = await parts.files.backend(project, threadId);
  const env = scrubEnv(parts.env);
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
  const over = runner.run(String(restored.args.command), {
    cwd,
    env,
    timeoutMs: NO_TIMEOUT,
    maxOutputBytes: SHOWN_OF_FAILURE,
    ...(sandbox === null ? {} : { sandbox, access }),
  });
  // Where it could not be started there is no terminal, and the outcome says why.
  const first = await Promise.race([opened, over]);
  if (typeof first !== 'string') return fail('folder_gone', first.output);
  const terminal = terminals.get(first);
  return terminal === null ? fail('not_found', GONE) : ok({ status: 'started', terminal });
}

/** The file that a word of a terminal's output names, as the viewer takes it; null where it is none of the project. */
async function locate(word: string, project: Project, folder: string, home: string): Promise<string | null> {
  const path = word.startsWith('~/') ? join(home, word.slice(2)) : word;
  const places = isAbsolute(path) ? [path] : [resolve(folder, path), resolve(project.folder, path)];
  for (const place of places) {
    const inside = relative(project.folder, place);
    if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) continue;
    const found = await stat(place).catch(() => null);
    if (found?.isFile()) return toMount(project, place);
  }
  return null;
}

/** What an earlier shell printed, so that another can go on below it. */
function asPast(printed: string): string {
  // Left only where a program had one of its own: leaving moves the cursor.
  const isOwnScreen = printed.lastIndexOf(OWN_SCREEN) > printed.lastIndexOf(LEAVE_SCREEN);
  return `${printed}${isOwnScreen ? LEAVE_SCREEN : ''}${AFTER_PAST}`;
}

/** A name in one row. */
const oneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').trim();
