// npm run pack:harness: builds src-main/harness into dist/harness and packs it as deepdesk-harness-VERSION.tgz beside it.
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { buildHarness } from './build/harness.mjs';
import { root, run } from './process.mjs';
import { endOnSignals } from './runtime/at-exit.mjs';

endOnSignals();
readArguments({ options: {} }, 'npm run pack:harness');

const folder = join(root, 'dist', 'harness');
await buildHarness(folder);
const ran = await run('npm', ['pack', folder, '--pack-destination', join(root, 'dist'), '--silent']);
if (ran.code !== 0) throw new Error(`npm could not pack it: ${ran.output}`);
console.log(join('dist', ran.stdout.trim()));
