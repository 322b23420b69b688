import { app, dialog } from 'electron';
import type { NativeText } from '../../src-renderer/i18n/native';
import type { openWindowState } from './window-state';

const SWITCH = 'safe-mode';
/** What a person types to start it. A clone of the repository has no program of that name. */
export const safeModeCommand = (): string =>
  app.isPackaged ? `deepdesk --${SWITCH}` : `npm start -- --${SWITCH}`;

/** True if this run leaves out what may keep Deepdesk from working. */
export const isSafeMode = (): boolean => app.commandLine.hasSwitch(SWITCH);

/** One window without a saved place and screen. The windows of the last run stay saved for the next normal start. */
export function withoutSavedWindows(
  state: ReturnType<typeof openWindowState>,
): ReturnType<typeof openWindowState> {
  return { ...state, read: () => [{ view: null, bounds: null }], write: () => undefined };
}

/** Says that the window cannot be shown and what is saved, and offers to start again in safe mode. */
export async function offerSafeMode(words: NativeText, quit: () => void): Promise<void> {
  const choices = [
    ...(isSafeMode() ? [] : [{ label: words('restartSafely'), run: restartSafely }]),
    { label: words('quit'), run: () => undefined },
  ];
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: words('noWindow'),
    detail: words('noWindowDetail'),
    buttons: [...choices.map(({ label }) => label), words('notNow')],
    defaultId: 0,
    cancelId: choices.length,
  });
  const chosen = choices[response];
  if (chosen === undefined) return;
  chosen.run();
  quit();
}

function restartSafely(): void {
  const args = process.argv.slice(1).filter((arg) => arg !== `--${SWITCH}`);
  app.relaunch({ args: [...args, `--${SWITCH}`] });
}
