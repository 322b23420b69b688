import { spawn } from 'node:child_process';

/** A started program with all its descendants. */
export interface OwnedProcess {
  /** Asks it to exit and kills it after `graceMs`. Resolves when none of its processes is running. */
  end(graceMs: number): Promise<unknown>;
  /** Kills it synchronously, for the last moment of the app. */
  killNow(): void;
}

/** Tracks the programs that the app starts. The host provides the same implementation that terminals use. */
export interface ProcessKeeper {
  /** Environment variables that identify the program's processes. */
  mark(id: string): Record<string, string>;
  /** `pid` leads its own session. */
  own(pid: number, id: string): OwnedProcess;
}

/**
 * Waits at the other end of a pipe, which closes when the app is killed. The watched program then has two seconds to exit,
 * as a server does when its input ends. It has its own session, so that Ctrl C in the app's terminal does not kill it.
 */
const WATCH = `read -r line; [ "$line" = done ] && exit 0
sleep 2; kill -s TERM -- "-$1" 2>/dev/null
sleep 2; kill -s KILL -- "-$1" 2>/dev/null`;

/** Kills the process group of `pid` if the app is killed. Returns a function that cancels it. Not available on Windows. */
export function watchOver(pid: number): () => void {
  if (process.platform === 'win32' || !(pid > 1)) return () => undefined;
  const watch = spawn('/bin/sh', ['-c', WATCH, 'deepdesk-watch', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
  });
  // Without this watch the server still sees the end of its input.
  watch.on('error', () => undefined);
  watch.stdin.on('error', () => undefined);
  watch.unref();
  return () => void watch.stdin.end('done\n');
}
