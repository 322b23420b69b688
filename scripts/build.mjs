// npm run build: builds the app into out/, whether or not out/ is stale.
import { readArguments } from './arguments.mjs';
import { build } from './build/app.mjs';
import { endOnSignals } from './runtime/at-exit.mjs';

endOnSignals();
readArguments({ options: {} }, 'npm run build');

process.exitCode = (await build({ show: true })) ? 0 : 1;
