/** Characters of one report; a stack is enough, a dumped file is not. */
const LONGEST = 4_000;

/**
 * Writes what went wrong on standard error, without whatever looks like a key. Errors that nobody caught are reported
 * too and do not end the process: a turn ends as failed by itself, and a person's window is worth more than a clean state.
 */
export function reporter(redact: (text: string) => string): (where: string, error: unknown) => void {
  const report = (where: string, error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
    process.stderr.write(`[deepdesk] ${where}: ${redact(text).slice(0, LONGEST)}\n`);
  };
  // Nobody may read standard error any more, such as a terminal that was closed.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => report('uncaught', error));
  process.on('unhandledRejection', (reason) => report('unhandled', reason));
  return report;
}
