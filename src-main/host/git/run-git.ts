import { type ChildProcess, spawn } from 'node:child_process';
import { scrubEnv } from '../../harness/backends';

/** Where git works. `common` is a private folder with a configuration that Deepdesk wrote. */
export interface GitPlace {
  worktree: string;
  gitDir: string;
  common: string;
  env: Readonly<Record<string, string | undefined>>;
}

export interface GitRun {
  input?: string | Buffer | undefined;
  signal?: AbortSignal | undefined;
  /** Milliseconds until git is killed. */
  deadline?: number | undefined;
  /** The folder with the hooks to run. Absent: none run. */
  hooks?: string | undefined;
}

export interface GitOutput {
  /** `missing`: git is not installed. `timeout`, `cancelled`, `too_large`: it was killed. */
  end: 'exited' | 'missing' | 'timeout' | 'cancelled' | 'too_large';
  code: number;
  stdout: Buffer;
  stderr: string;
}

const DEADLINE = 60_000;
/** Milliseconds that git has to clean up after it was asked to exit. */
const GRACE = 2_000;
const MAX_OUTPUT = 64 * 1024 * 1024;
const MAX_STDERR = 64 * 1024;

/** Settings that win over the person's own configuration: they start programs or touch other repositories. */
const FIXED = [
  'core.fsmonitor=false',
  'core.alternateRefsCommand=true',
  'core.quotePath=false',
  'core.pager=cat',
  'diff.suppressBlankEmpty=false',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.detachedHead=false',
  'color.ui=false',
];

/**
 * Runs git without a shell. It reads the configuration of the person and of `common`, never the one of the repository. It
 * cannot ask anything: it has no terminal and no program for passwords.
 */
export function runGit(place: GitPlace, args: readonly string[], run: GitRun = {}): Promise<GitOutput> {
  const fixed = [...FIXED, `core.hooksPath=${run.hooks ?? '/dev/null'}`].flatMap((one) => ['-c', one]);
  const child = spawn('git', ['--no-pager', '--literal-pathspecs', ...fixed, ...args], {
    cwd: place.worktree,
    env: environment(place),
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its own session: no terminal to ask in, and its helpers are killed with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  return new Promise((resolve) => {
    const out: Buffer[] = [];
    let size = 0;
    let stderr = '';
    let killed: GitOutput['end'] | null = null;
    let force: NodeJS.Timeout | undefined;
    const kill = (why: GitOutput['end']) => {
      if (killed !== null) return;
      killed = why;
      // Git removes its lock files before it exits. Those of a git that is killed outright would block the repository.
      endGroup(child, 'SIGTERM');
      force = setTimeout(() => endGroup(child, 'SIGKILL'), GRACE);
    };
    const timer = setTimeout(() => kill('timeout'), run.deadline ?? DEADLINE);
    const cancel = () => kill('cancelled');
    if (run.signal?.aborted) cancel();
    run.signal?.addEventListener('abort', cancel, { once: true });
    child.stdout.on('data', (bytes: Buffer) => {
      size += bytes.length;
      if (size > MAX_OUTPUT) kill('too_large');
      else out.push(bytes);
    });
    child.stderr.on('data', (bytes: Buffer) => {
      if (stderr.length < MAX_STDERR) stderr += bytes.toString('utf8');
    });
    let end: GitOutput['end'] = 'exited';
    child.on('error', () => {
      end = 'missing';
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      clearTimeout(force);
      run.signal?.removeEventListener('abort', cancel);
      resolve({ end: killed ?? end, code: code ?? -1, stdout: Buffer.concat(out), stderr });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(run.input ?? '');
  });
}

function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (process.platform !== 'win32' && child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It has already ended.
  }
  child.kill(signal);
}

/** The person's environment without Deepdesk's secrets and without settings that point git elsewhere. */
function environment({ worktree, gitDir, common, env }: GitPlace): Record<string, string> {
  const own = Object.entries(scrubEnv(env)).filter(([name]) => !name.startsWith('GIT_'));
  // Where the person keeps their own configuration.
  for (const name of ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'])
    if (env[name] !== undefined) own.push([name, env[name]]);
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_DIR: gitDir,
    GIT_COMMON_DIR: common,
    GIT_WORK_TREE: worktree,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
    GIT_NO_LAZY_FETCH: '1',
  };
}
