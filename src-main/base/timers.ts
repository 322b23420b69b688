/** The longest time of a timer, in milliseconds (24.8 days). With a longer one, `setTimeout` fires at once. */
export const MAX_TIMER = 2 ** 31 - 1;

/** Runs `work` after any number of milliseconds up to `MAX_TIMER`, then at the latest. Never, if they are infinite. */
export const after = (milliseconds: number, work: () => void): NodeJS.Timeout | undefined =>
  Number.isFinite(milliseconds) ? setTimeout(work, Math.min(milliseconds, MAX_TIMER)) : undefined;
