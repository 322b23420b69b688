// How many test files run at a time. Vitest's own `--maxWorkers` has no effect: its projects take the number from vitest.config.ts.
import { availableParallelism } from 'node:os';

const WORKERS = 'DEEPDESK_TEST_WORKERS';

/** For suites whose files measure time or memory. */
export const ONE_AT_A_TIME = { [WORKERS]: '1' };

/**
 * Vitest leaves one core to itself: on two, all files would go one after another, and many of them only wait. A third worker
 * on two cores gains nothing: it loads every module again.
 */
export const workers = () => Number(process.env[WORKERS] ?? Math.max(2, availableParallelism() - 1));
