// The app in the real Electron, with a folder that is removed after the measurement.
import { ensureBuilt } from '../../scripts/build/app.mjs';
import { root } from '../../scripts/process.mjs';
import { chromiumHere } from '../../scripts/runtime/capabilities.mjs';
import { appEnvironment } from '../../scripts/runtime/environment.mjs';
import { prepareElectron } from '../../scripts/runtime/prepare.mjs';
import type { Launch } from '../electron-window';
import { withFolder } from '../temporary';

interface Start {
  /** The app's data folder. */
  data: string;
  /** The folder of an app other than Deepdesk. */
  app?: string;
  /** A script that runs in the main process before the app. */
  required?: string;
}

/** Starts the app, with a browser profile beside its data. */
export type LaunchApp = (start: Start) => Launch;

/** Calls `work` with an empty folder and a function that starts the built app. */
export async function withApp<T>(work: (folder: string, launch: LaunchApp) => Promise<T>): Promise<T> {
  const { electron, env, stopDisplay } = await prepareElectron();
  try {
    if (!(await ensureBuilt())) throw new Error('the app could not be built');
    const { sandboxOff } = await chromiumHere(electron.executable, { env });
    const noSandbox = sandboxOff === null ? [] : ['--no-sandbox'];
    const launch: LaunchApp = ({ data, app = root, required }) => ({
      executable: electron.executable,
      args: [
        ...(required === undefined ? [] : ['-r', required]),
        app,
        ...noSandbox,
        `--user-data-dir=${data}-profile`,
      ],
      env: appEnvironment({ ...env, LANG: 'C.UTF-8', DEEPDESK_DATA_DIR: data }),
    });
    return await withFolder((folder) => work(folder, launch));
  } finally {
    stopDisplay();
  }
}
