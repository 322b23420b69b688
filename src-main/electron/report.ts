/** Maximum characters per report: enough for a stack, too few for a dumped file. */
const MAX_LENGTH = 4_000;

/**
 * Writes errors to standard error and redacts whatever looks like a key; the log gets them as well. Uncaught errors are reported and do not end the
 * process: the affected turn fails on its own, and keeping the person's window matters more than a clean state.
 */
export function reporter(
  redact: (text: string) => string,
  log: (where: string, error: unknown) => void,
): (where: string, error: unknown) => void {
  const report = (where: string, error: unknown) => {
    log(where, error);
    process.stderr.write(`[deepdesk] ${where}: ${redact(textOf(error)).slice(0, MAX_LENGTH)}\n`);
  };
  // Standard error may have no reader, for example after its terminal was closed.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => report('uncaught', error));
  process.on('unhandledRejection', (reason) => report('unhandled', reason));
  return report;
}

/** Never throws, because that would end the process: some objects cannot become text. */
function textOf(error: unknown): string {
  try {
    return String((error instanceof Error ? error.stack : undefined) ?? error);
  } catch {
    return typeof error;
  }
}
