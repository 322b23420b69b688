/** What ends the command in order: Ctrl+C, an editor or a service manager that ends it, and a closed terminal. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let end: (() => void) | undefined;

/** From now on, the signals that ask the command to end call `stop`, and no earlier one. */
export function onEnding(stop: () => void): void {
  if (end === undefined) for (const signal of ENDING) process.on(signal, () => end?.());
  end = stop;
}
