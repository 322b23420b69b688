// npm start [-- options of the app]: opens Deepdesk, after seeing to everything it needs.
import { ensureBuilt } from './build/app.mjs';
import { log } from './log.mjs';
import { root } from './process.mjs';
import { appEnvironment } from './runtime/environment.mjs';
import { exitWith, foreground } from './runtime/foreground.mjs';
import { prepareElectron } from './runtime/prepare.mjs';
import { sandboxOffReason } from './runtime/sandbox.mjs';

await exitWith(async () => {
  const { electron, env, stopDisplay } = await prepareElectron();
  try {
    if (!(await ensureBuilt())) return 1;
    const reason = sandboxOffReason(electron.dist);
    if (reason) log('sandbox', `Chromium's own sandbox is off. ${reason}`);
    return await foreground(
      electron.executable,
      [root, ...(reason ? ['--no-sandbox'] : []), ...process.argv.slice(2)],
      { env: appEnvironment({ ...env, ...(reason ? { DEEPDESK_SANDBOX_OFF: reason } : {}) }) },
    );
  } finally {
    stopDisplay();
  }
});
