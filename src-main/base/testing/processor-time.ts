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

/**
 * Processor time that `work` takes on the computer that the limits in tests were written for, in milliseconds: its own time in
 * relation to a fixed piece of work beside it. A slower computer, or a host that gives its processor to others, slows down
 * both. The least of a few rounds, because other programs only add to it.
 */
export async function standardTime(work: () => unknown, rounds = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  let before = await timeOf(standardWork);
  for (let round = 0; round < rounds; round += 1) {
    const took = await timeOf(work);
    const after = await timeOf(standardWork);
    least = Math.min(least, (took * STANDARD_TIME) / ((before + after) / 2));
    before = after;
  }
  return least;
}

/**
 * What a measured processor time would be on that computer, in milliseconds. Measures the fixed work now, so call it right
 * after the measured work.
 */
export async function inStandardTime(took: number): Promise<number> {
  // The first round also compiles it.
  const rounds = [await timeOf(standardWork), await timeOf(standardWork), await timeOf(standardWork)];
  return (took * STANDARD_TIME) / Math.min(...rounds);
}

/** Milliseconds of processor time for `standardWork` on that computer. */
const STANDARD_TIME = 20;

const LINES = Array.from({ length: 15_000 }, (_, at) => `line ${at} of some text`).join('\n');

/** Reads and compares text, as most limited work does. */
function standardWork(): number {
  let hash = 0;
  for (let round = 0; round < 4; round += 1) {
    for (let at = 0; at < LINES.length; at += 1) hash = (hash * 31 + LINES.charCodeAt(at)) | 0;
    const seen = new Set(LINES.split('\n'));
    hash ^= seen.size;
  }
  return hash;
}

async function timeOf(work: () => unknown): Promise<number> {
  const began = processorTime();
  await work();
  return processorTime() - began;
}
