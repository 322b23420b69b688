// Exit statuses, as docs/headless.md lists them.
export const FINISHED = 0;
export const WRONG_USAGE = 2;
export const FAILED = 3;
export const WAITING = 4;
export const INTERRUPTED = 130;
