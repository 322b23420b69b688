interface Killable {
  killNow(): void;
}

const running = new Set<Killable>();
let isWatching = false;

/**
 * Kills a child process with its descendants when this process exits, unless `ended` has settled by then. A SIGKILL runs no
 * code, so callers need another way for that.
 */
export function endWithProcess(child: Killable, ended: Promise<unknown>): void {
  running.add(child);
  void ended.then(() => running.delete(child));
  if (isWatching) return;
  isWatching = true;
  process.once('exit', () => {
    for (const one of running) one.killNow();
  });
}
