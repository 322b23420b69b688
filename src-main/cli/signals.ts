/** What ends the command in order: Ctrl+C, an editor or a service manager that ends it, and a closed terminal. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `stop` for each signal that asks the command to end. */
export function onEnding(stop: () => void): void {
  for (const signal of ENDING) process.on(signal, stop);
}
