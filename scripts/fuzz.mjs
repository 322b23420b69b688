// npm run fuzz [-- part ...] [--minutes N] [--seed N]: long random tests. Without a part, all parts share the time.
import { readArguments, refuse } from './arguments.mjs';
import { runBin } from './process.mjs';
import { endOnSignals } from './runtime/at-exit.mjs';

endOnSignals();

/**
 * The parts by name: a test file that reads DEEPDESK_SEED and DEEPDESK_FUZZ_MINUTES, the duration (unset in `npm test`,
 * where it takes seconds).
 * @type {Readonly<Record<string, string>>}
 */
const PARTS = {
  // Command lines judged read-only, compared with what bash and dash do.
  commands: 'src-main/approvals/bash/fuzz.slow.test.ts',
  // Globs, compared with what ripgrep finds.
  globs: 'src-main/base/globs/glob-fuzz.slow.test.ts',
  // File tools while names become links to the outside.
  links: 'src-main/harness/backends/link-fuzz.slow.test.ts',
};

const USAGE = `npm run fuzz [-- ${Object.keys(PARTS).join(' | ')} ...] [--minutes N] [--seed N]`;
const { values, positionals } = readArguments(
  {
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } },
  },
  USAGE,
);
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) refuse(`there is no part ${unknown.join(', ')}`, USAGE);
if (!(Number(values.minutes) > 0)) refuse('--minutes must be greater than 0', USAGE);
const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000_000));
const minutes = Number(values.minutes) / names.length;
Object.assign(process.env, { DEEPDESK_FUZZ_MINUTES: String(minutes), DEEPDESK_SEED: seed });
console.log(`seed ${seed}, ${minutes.toFixed(1)} minutes for each of: ${names.join(', ')}`);
for (const name of names) {
  const args = ['run', PARTS[name] ?? '', '--reporter=verbose', '--disable-console-intercept'];
  const { code } = await runBin('vitest', args, { show: true });
  if (code !== 0) process.exitCode = code;
}
