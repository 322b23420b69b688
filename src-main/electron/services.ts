import { app, BrowserWindow, dialog, nativeImage, safeStorage, session, shell } from 'electron';
import type { NativeText } from '../../src-renderer/i18n/native';
import type { DesktopServices, Keychain } from '../host/window/desktop-services';
import { drawFrame } from './video-frame';

/** The Electron services that the host needs. Call when the app is ready. */
export function electronServices(words: () => NativeText): DesktopServices {
  const front = () => BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
  return {
    chooseFolder: async () => {
      const window = front();
      const options: Electron.OpenDialogOptions = {
        title: words()('chooseFolder'),
        properties: ['openDirectory', 'createDirectory'],
      };
      const chosen = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
      return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
    },
    chooseSaveFile: async (name) => {
      const window = front();
      const options: Electron.SaveDialogOptions = { title: words()('saveFile'), defaultPath: name };
      const chosen = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
      return chosen.canceled || chosen.filePath === '' ? null : chosen.filePath;
    },
    chooseFile: async (extensions) => {
      const window = front();
      const options: Electron.OpenDialogOptions = {
        title: words()('chooseFile'),
        properties: ['openFile'],
        filters: [{ name: words()('files', { extensions: extensions.join(words()('comma')) }), extensions }],
      };
      const chosen = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
      return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
    },
    reveal: (path) => shell.showItemInFolder(path),
    trash: (path) => shell.trashItem(path),
    openPath: (path) => shell.openPath(path),
    startDrag: (paths) => {
      const [first] = paths;
      if (first === undefined) return;
      front()?.webContents.startDrag({ file: first, files: [...paths], icon: dragIcon() });
    },
    paste: () => front()?.webContents.paste(),
    confirm: async ({ message, detail, action }) => {
      const window = front();
      const options: Electron.MessageBoxOptions = {
        type: 'warning',
        message,
        detail,
        buttons: [words()('cancel'), action],
        // A key press that was already under way when the dialog opened must not answer it.
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      };
      const { response } = await (window
        ? dialog.showMessageBox(window, options)
        : dialog.showMessageBox(options));
      return response === 1;
    },
    openExternal: async (url) => {
      const window = front();
      const text = words();
      const options: Electron.MessageBoxOptions = {
        type: 'question',
        message: text('linkQuestion'),
        detail: url.href,
        buttons: [text('cancel'), text('open')],
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
    flushPages: () => session.defaultSession.flushStorageData(),
    clearPages: async () => {
      await session.defaultSession.clearStorageData();
      await session.defaultSession.clearCache();
    },
    keychain: keychain(),
    drawFrame,
  };
}

/** A 32-pixel sheet icon: a drag needs an image to start. */
function dragIcon(): Electron.NativeImage {
  const side = 32;
  const pixels = Buffer.alloc(side * side * 4);
  for (let y = 3; y < 29; y += 1)
    for (let x = 6; x < 26; x += 1) {
      const isEdge = y === 3 || y === 28 || x === 6 || x === 25;
      pixels.writeUInt32LE(isEdge ? 0xff8a8f98 : 0xfff6f7f9, (y * side + x) * 4);
    }
  return nativeImage.createFromBitmap(pixels, { width: side, height: side });
}

/** Null if there is no keychain, or if the system would only obfuscate keys with a built-in password (`basic_text`). */
function keychain(): Keychain | null {
  if (!safeStorage.isEncryptionAvailable()) return null;
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return null;
  return {
    encrypt: (text) => safeStorage.encryptString(text),
    decrypt: (ciphertext) => safeStorage.decryptString(Buffer.from(ciphertext)),
  };
}

/** The data folder: DEEPDESK_DATA_DIR, else the app's default. */
export const dataDir = (): string => process.env.DEEPDESK_DATA_DIR || app.getPath('userData');
