import { onTestFinished, vi } from 'vitest';

/**
 * Holds every `setTimeout` with exactly this delay until the test lets it fire, so that a time limit always expires after
 * the event that the test waits for. Other timers run as usual.
 */
export function holdTimers(milliseconds: number): { readonly started: number; fire(): void } {
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  const held = new Map<unknown, () => void>();
  let started = 0;
  const starting = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    run: (...args: unknown[]) => void,
    delay?: number,
    ...args: unknown[]
  ) => {
    if (delay !== milliseconds) return start(run, delay, ...args);
    const timer = start(() => undefined, delay);
    held.set(timer, () => run(...args));
    started += 1;
    return timer;
  }) as typeof setTimeout);
  const clearing = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    held.delete(timer);
    clear(timer);
  });
  onTestFinished(() => {
    starting.mockRestore();
    clearing.mockRestore();
    for (const timer of held.keys()) clear(timer as NodeJS.Timeout);
  });
  return {
    /** Number of timers started so far. */
    get started() {
      return started;
    },
    fire: () => {
      for (const [timer, run] of [...held]) {
        held.delete(timer);
        clear(timer as NodeJS.Timeout);
        run();
      }
    },
  };
}
