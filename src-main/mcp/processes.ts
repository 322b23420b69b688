import { spawn } from 'node:child_process';

/** A started program with all that it started in turn. */
export interface OwnedProcess {
  /** Ends it: asks first, and after `graceMs` no more. Resolves when nothing of it runs. */
  end(graceMs: number): Promise<unknown>;
  /** The same at once, for the last moment of the app. */
  killNow(): void;
}

/** How this app keeps hold of the programs that it starts; the host lends what terminals use. */
export interface ProcessKeeper {
  /** Environment variables that a program must be started with to be found again. */
  mark(id: string): Record<string, string>;
  /** `pid` leads a session of its own. */
  own(pid: number, id: string): OwnedProcess;
}

/**
 * Waits at the other end of a pipe, which closes when the app is killed: then what it watches has two seconds to end by
 * itself, as a server does whose input ends. Its own session, so that Ctrl C in the app's terminal does not end it.
 */
const WATCH = `read -r line; [ "$line" = done ] && exit 0
sleep 2; kill -s TERM -- "-$1" 2>/dev/null
sleep 2; kill -s KILL -- "-$1" 2>/dev/null`;

/** Ends the process group of `pid` should the app be killed. Returns its undo. Windows has no such way. */
export function watchOver(pid: number): () => void {
  if (process.platform === 'win32' || !(pid > 1)) return () => undefined;
  const watch = spawn('/bin/sh', ['-c', WATCH, 'deepdesk-watch', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
  });
  // Without a watch the server still hears that its input ends.
  watch.on('error', () => undefined);
  watch.stdin.on('error', () => undefined);
  watch.unref();
  return () => void watch.stdin.end('done\n');
}
