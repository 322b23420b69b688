import { join } from 'node:path';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { explainSaving } from '../host/window/run-errors';
import { FAILED, FINISHED, INTERRUPTED, WRONG_USAGE } from './exit-status';
import { HELP, USAGE } from './help';
import { asksForHelp, parseOptions } from './options';
import { oneLine, output } from './output';
import { onEnding } from './signals';
import { silencePackages } from './silence-packages';

/** The folder of package.json and resources. The build puts this file two folders below it. */
const APP_FOLDER = join(import.meta.dirname, '../..');

silencePackages(console, process);

async function main(): Promise<number> {
  onEnding(() => process.exit(INTERRUPTED));
  const args = process.argv.slice(2);
  if (asksForHelp(args)) {
    output.out(HELP);
    return FINISHED;
  }
  const parsed = parseOptions(args);
  if (!parsed.ok) {
    output.err(`${oneLine(inEnglish(parsed.error))} ${USAGE}\n`);
    return WRONG_USAGE;
  }
  // The agent takes most of a second to load, which help and a misspelled option need not wait for.
  const { runAgent } = await import('./run');
  return runAgent(parsed.value, APP_FOLDER);
}

process.on('unhandledRejection', (reason) => output.err(`unhandled: ${oneLine(String(reason))}\n`));
process.exitCode = await main().catch((error: unknown) => {
  const known = explainSaving(error);
  const text = error instanceof Error ? error.message : String(error);
  output.err(`${oneLine(known === null ? text : inEnglish(known))}\n`);
  return FAILED;
});
// The last text may fail only after it was passed to the system.
process.on('exit', (status) => {
  if (status === FINISHED && output.isIncomplete()) process.exitCode = FAILED;
});
