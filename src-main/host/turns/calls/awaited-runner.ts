import { optional } from '../../../contract/shared/optional';
import type { CommandRunner } from '../../../harness';

/** Wraps the runner and waits for its commands; a job counts as finished once it has started. */
export function awaited(runner: CommandRunner): { runner: CommandRunner; settled: () => Promise<void> } {
  const atWork = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    atWork.add(work);
    const forget = () => atWork.delete(work);
    work.then(forget, forget);
    return work;
  };
  const { start, jobs } = runner;
  return {
    runner: {
      run: (command, options) => track(runner.run(command, options)),
      ...(start === undefined ? {} : { start: (command, options) => track(start(command, options)) }),
      ...optional({ jobs }),
    },
    settled: async () => {
      await Promise.allSettled([...atWork]);
    },
  };
}
