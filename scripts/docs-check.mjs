// npm run docs:check: checks links, pictures, paths, scripts, options and labels in the documents. Unit tests include it.
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { root, runBin } from './process.mjs';
import { endOnSignals } from './runtime/at-exit.mjs';

endOnSignals();
readArguments({ options: {} }, 'npm run docs:check');

const { code, output } = await runBin('vitest', [
  'run',
  '--project=main',
  join(root, 'scripts/lint/docs.test.ts'),
]);
console.log(output.trimEnd());
process.exitCode = code;
