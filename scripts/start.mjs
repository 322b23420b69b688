// npm start [-- options of the app]: prepares everything Deepdesk needs, and opens it.
import { ensureBuilt } from './build/app.mjs';
import { log } from './log.mjs';
import { root } from './process.mjs';
import { chromiumHere } from './runtime/capabilities.mjs';
import { isNoise, lineFilter, saysDisplayGone, withoutNoise } from './runtime/chromium-noise.mjs';
import { appEnvironment } from './runtime/environment.mjs';
import { exitWith, windowApp } from './runtime/foreground.mjs';
import { prepareElectron } from './runtime/prepare.mjs';

await exitWith(async () => {
  // The build does not depend on the preparation, so both run in parallel.
  const [built, prepared] = await Promise.allSettled([ensureBuilt(), prepareElectron()]);
  if (prepared.status === 'rejected') throw prepared.reason;
  const { electron, env, stopDisplay, isDisplayGone } = prepared.value;
  try {
    if (built.status === 'rejected') throw built.reason;
    if (!built.value) return 1;
    const { starts, said, sandboxOff, sandboxCause, sandboxCommand } = await chromiumHere(
      electron.executable,
      { env },
    );
    if (!starts)
      throw new Error(`Electron ${electron.version} cannot show a page here:\n${withoutNoise(said)}`);
    if (sandboxOff) log('sandbox', `Chromium's own sandbox is off. ${sandboxOff}`);
    const cause = JSON.stringify({ cause: sandboxCause, command: sandboxCommand });
    const told = sandboxOff ? { DEEPDESK_SANDBOX_OFF: cause } : {};
    let displayGone = false;
    const { code } = await windowApp(
      electron.executable,
      [root, ...(sandboxOff ? ['--no-sandbox'] : []), ...process.argv.slice(2)],
      {
        env: appEnvironment({ ...env, ...told }),
        onErrors: (stream) => {
          const filter = lineFilter(
            (text) => void process.stderr.write(text),
            (line) => {
              displayGone ||= saysDisplayGone(line);
              return isNoise(line) || saysDisplayGone(line);
            },
          );
          stream.on('data', filter.write).on('end', filter.end);
        },
      },
    );
    if (code === 0 || !(displayGone || isDisplayGone())) return code;
    log('display', 'the display is gone, and Deepdesk with it; the next start continues from what was saved');
    return 1;
  } finally {
    stopDisplay();
  }
});
