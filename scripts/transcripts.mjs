// node scripts/transcripts.mjs record FOLDER [options of playwright test]: runs journeys and writes to the folder what the
// app sent to model providers and to its windows. With options, such as -g TITLE, it adds to a recording. node
// scripts/transcripts.mjs compare FOLDER FOLDER: prints the differences of two recordings, with status 1 if there are any.
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { readArguments, refuse } from './arguments.mjs';
import { log } from './log.mjs';
import { runBin } from './process.mjs';
import { endOnSignals } from './runtime/at-exit.mjs';
import { compareFolders, LEFT_OUT, SPECS } from './testing/recordings.mjs';

endOnSignals();

const USAGE = `node scripts/transcripts.mjs record FOLDER [options of playwright test]
       node scripts/transcripts.mjs compare FOLDER FOLDER`;

/** @param {string} folder @param {string[]} options */
async function record(folder, options) {
  if (options.length === 0 && existsSync(folder) && readdirSync(folder).length > 0)
    refuse(`${folder} is not empty; choose a new folder`, USAGE);
  const specs = SPECS.map((name) => `e2e/${name}.spec.ts`);
  const leftOut = LEFT_OUT.map(({ title }) => title.replace(/[^\w ]/g, '.')).join('|');
  const { code } = await runBin(
    ['@playwright/test', 'playwright'],
    ['test', ...specs, ...(leftOut === '' ? [] : ['--grep-invert', leftOut]), ...options],
    { show: true, env: { ...process.env, DEEPDESK_TRANSCRIPTS: folder } },
  );
  if (code !== 0) log('transcripts', 'a journey failed, so the recording lacks it. Record it with -g TITLE.');
  return code;
}

/** @param {string} before @param {string} after */
function compare(before, after) {
  const missing = [before, after].filter((folder) => !existsSync(folder));
  if (missing.length > 0) refuse(`there is no folder ${missing.join(', ')}`, USAGE);
  const { compared, differences } = compareFolders(before, after);
  for (const difference of differences) console.log(difference);
  log('transcripts', `${compared} journeys compared, ${differences.length} differ`);
  return compared === 0 || differences.length > 0 ? 1 : 0;
}

// Only for --help: the options are Playwright's.
readArguments({ allowPositionals: true, strict: false }, USAGE);
const [command, first, ...others] = process.argv.slice(2);
if (command === 'record' && first !== undefined) {
  process.exitCode = await record(resolve(first), others);
} else if (command === 'compare' && first !== undefined && others[0] !== undefined && others.length === 1) {
  process.exitCode = compare(resolve(first), resolve(others[0]));
} else {
  refuse('Name record or compare, and its folders', USAGE);
}
