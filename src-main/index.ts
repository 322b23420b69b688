import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';

const out = join(import.meta.dirname, '..');

function openWindow(): void {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    webPreferences: {
      preload: join(out, 'preload/preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
    },
  });
  void window.loadFile(join(out, 'renderer/index.html'));
}

app.on('window-all-closed', () => app.quit());
void app.whenReady().then(openWindow);
