// npm run agent -- [options] "prompt": the harness without a window, in plain Node. Standard output comes from the harness.
import { join } from 'node:path';
import { ensureBuilt } from './build/app.mjs';
import { root } from './process.mjs';
import { appEnvironment } from './runtime/environment.mjs';
import { exitWith, foreground } from './runtime/foreground.mjs';
import { prepareNode } from './runtime/prepare.mjs';

/** The exit status of the headless entry for a failure that is not the caller's fault. */
const FAILED = 3;
/** The same for a run that was stopped. */
const INTERRUPTED = 130;

await exitWith(
  async () => {
    const env = await prepareNode();
    if (!(await ensureBuilt())) return FAILED;
    // npm runs scripts in the repository; a relative --folder refers to the person's current folder.
    const cwd = process.env.INIT_CWD ?? process.cwd();
    const entry = join(root, 'out', 'main', 'cli.js');
    return await foreground(process.execPath, [entry, ...process.argv.slice(2)], {
      env: appEnvironment(env),
      cwd,
      interruptedCode: INTERRUPTED,
    });
  },
  FAILED,
  INTERRUPTED,
);
