/**
 * Processor time of all threads of this process, in milliseconds. Unlike wall-clock time, it does not grow while other
 * programs use the processor.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
