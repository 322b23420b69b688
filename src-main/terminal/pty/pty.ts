import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { spawn } from 'node-pty';
import { fail, ok, type Result } from '../../contract/result';
import { ExitMarker, runAndMark } from './exit-marker';
import { MARK_VARIABLE } from './process-tree';
import { SafePty } from './safe-pty';

const isWindows = process.platform === 'win32';

/**
 * Before a program starts, bash closes every descriptor except the terminal's three. On Linux, node-pty opens the
 * controlling side of each terminal without close-on-exec, so without this a command could type into all other terminals.
 */
const CLOSE_INHERITED =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: bash's own syntax
  'if [ -d /proc/$$/fd ]; then for f in /proc/$$/fd/*; do f=${f##*/}; if [ "$f" -gt 2 ]; then eval "exec $f>&-"; fi; done; fi';

/** Environment defaults of an agent's command, unless the caller overrides them: nothing that waits for a key. */
function agentDefaults(): Record<string, string> {
  return {
    COLORTERM: 'truecolor',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    MANPAGER: 'cat',
    SYSTEMD_PAGER: 'cat',
    GH_PAGER: 'cat',
    AWS_PAGER: '',
    BAT_PAGER: 'cat',
    // An editor would wait for a person who did not open one. `true` leaves the text unchanged.
    EDITOR: 'true',
    VISUAL: 'true',
    GIT_EDITOR: 'true',
    GIT_MERGE_AUTOEDIT: 'no',
  };
}

export interface Program {
  file: string;
  args: string[];
}

const shell = () => (existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh');

/** The shell that runs one command line of the agent. */
export function commandProgram(
  command: string,
  stdin: 'person' | 'closed' = 'person',
  platform: NodeJS.Platform = process.platform,
): Program {
  if (platform !== 'win32') return { file: shell(), args: ['-c', command] };
  // PowerShell takes UTF-16 in base64 without any quoting.
  const encoded = Buffer.from(command, 'utf16le').toString('base64');
  const quiet = stdin === 'closed' ? ['-NonInteractive'] : [];
  return { file: 'powershell.exe', args: ['-NoLogo', '-NoProfile', ...quiet, '-EncodedCommand', encoded] };
}

/** The person's interactive shell, according to their environment. */
export function personProgram(
  env: Record<string, string>,
  platform: NodeJS.Platform = process.platform,
): Program {
  if (platform === 'win32') return { file: 'powershell.exe', args: ['-NoLogo'] };
  const wanted = env.SHELL;
  const file = wanted?.startsWith('/') && existsSync(wanted) ? wanted : shell();
  // Terminals on macOS open login shells, because the PATH of Homebrew and others is set only there.
  return { file, args: platform === 'darwin' ? ['-l'] : [] };
}

export const programName = ({ file }: Program) => basename(file);

export interface PtyRequest {
  kind: 'agent' | 'person';
  program: Program;
  /** Closed: an agent's command that reads gets end of file. Default: the person types. */
  stdin?: 'person' | 'closed';
  cwd: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
  /** Value of the variable that marks every process of this terminal. */
  mark: string;
}

export interface StartedPty {
  pty: SafePty;
  /** Set if a marker in the output reports the program's exit. The process then waits to be killed. */
  marker: ExitMarker | null;
}

/**
 * Starts a program in a new pty, as leader of a new session. It gets `env`, the terminal's variables and the mark, and
 * nothing of our environment. Errors: `folder_gone` if `cwd` is not a directory; `internal` if the system refuses a pty.
 */
export function startPty(request: PtyRequest): Result<StartedPty> {
  if (!statSync(request.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    return fail('folder_gone', 'folder_gone', { folder: request.cwd });
  }
  const nonce = randomUUID();
  const isMarked = request.kind === 'agent' && !isWindows;
  const { file, args } = isWindows ? request.program : inShell(request, isMarked ? nonce : null);
  try {
    const pty = spawn(file, args, {
      name: 'xterm-256color',
      cols: request.cols,
      rows: request.rows,
      cwd: request.cwd,
      env: environment(request),
      encoding: 'utf8',
    });
    return ok({ pty: new SafePty(pty), marker: isMarked ? new ExitMarker(nonce) : null });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return fail('internal', 'no_terminal_opened', {}, detail);
  }
}

function environment({ kind, env, mark }: PtyRequest): Record<string, string> {
  const hasLocale = Boolean(env.LC_ALL || env.LC_CTYPE || env.LANG);
  return {
    TERM: 'xterm-256color',
    ...(kind === 'agent' ? agentDefaults() : { COLORTERM: 'truecolor' }),
    ...(hasLocale || isWindows
      ? {}
      : { LC_CTYPE: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8' }),
    ...env,
    [MARK_VARIABLE]: mark,
  };
}

function inShell({ program, stdin = 'person' }: PtyRequest, nonce: string | null): Program {
  const script = `${CLOSE_INHERITED}\n${nonce === null ? 'exec "$@"' : runAndMark(stdin)}`;
  const words = nonce === null ? [] : [nonce];
  return { file: shell(), args: ['-c', script, 'sh', ...words, program.file, ...program.args] };
}
