import { readFileSync } from 'node:fs';

/**
 * Processor time of all threads of this process, in milliseconds. Unlike wall-clock time, it does not grow while other
 * programs use the processor.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Processor time of the calling thread alone, in milliseconds, without that of other programs. On systems
 * that do not tell it, that of all threads, which is more. Linux updates it at each of its ticks, a few milliseconds apart.
 */
export function threadTime(): number {
  if (process.platform !== 'linux') return processorTime();
  const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1);
  return Number(nanoseconds) / 1e6;
}
