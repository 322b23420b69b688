import { app, BrowserWindow, dialog, safeStorage, shell } from 'electron';
import type { Keychain, ShellServices } from '../host/shell-services';
import { drawFrame } from './film-frame';

/** What the host needs of Electron. Call when the app is ready. */
export function electronServices(): ShellServices {
  const front = () => BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
  return {
    chooseFolder: async () => {
      const window = front();
      const options: Electron.OpenDialogOptions = { properties: ['openDirectory', 'createDirectory'] };
      const chosen = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
      return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
    },
    chooseSaveFile: async (name) => {
      const window = front();
      const options: Electron.SaveDialogOptions = { defaultPath: name };
      const chosen = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
      return chosen.canceled || chosen.filePath === '' ? null : chosen.filePath;
    },
    chooseFile: async (extensions) => {
      const window = front();
      const options: Electron.OpenDialogOptions = {
        properties: ['openFile'],
        filters: [{ name: extensions.join(', '), extensions }],
      };
      const chosen = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
      return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
    },
    reveal: (path) => shell.showItemInFolder(path),
    openExternal: async (url) => {
      const window = front();
      const options: Electron.MessageBoxOptions = {
        type: 'question',
        message: 'Open this address in the browser?',
        detail: url.href,
        buttons: ['Cancel', 'Open'],
        defaultId: 0,
        cancelId: 0,
      };
      const { response } = await (window
        ? dialog.showMessageBox(window, options)
        : dialog.showMessageBox(options));
      if (response !== 1) return false;
      await shell.openExternal(url.href);
      return true;
    },
    keychain: keychain(),
    drawFrame,
  };
}

/** Null where the system would only obfuscate keys with a built-in password (`basic_text`), or has no keychain. */
function keychain(): Keychain | null {
  if (!safeStorage.isEncryptionAvailable()) return null;
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return null;
  return {
    encrypt: (text) => safeStorage.encryptString(text),
    decrypt: (ciphertext) => safeStorage.decryptString(Buffer.from(ciphertext)),
  };
}

/** The data folder: DEEPDESK_DATA_DIR, else the app's own. */
export const dataDir = (): string => process.env.DEEPDESK_DATA_DIR ?? app.getPath('userData');
