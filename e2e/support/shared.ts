import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../../scripts/process.mjs';
import type { CommandName, Input, Output } from '../../src-main/contract/commands';
import { DEFAULT_SETTINGS } from '../../src-main/contract/default-settings';
import type { Result } from '../../src-main/contract/result';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { answerFolderDialog, giveToApp, makeFolder, type RunningApp } from './app';
import { composer } from './window';

const SIZE = { width: 1280, height: 800 };

/** Runs before the window's own scripts: clears its storage on request, and keeps a reference to its port. */
function installHooks(forget: string): void {
  if (sessionStorage.getItem(forget) !== null) {
    localStorage.clear();
    sessionStorage.clear();
  }
  window.addEventListener('message', ({ data, ports: [port] }) => {
    if (data === 'deepdesk:port') Object.assign(window, { journeyPort: port });
  });
}
const FORGET = 'journey-forget';

/** Sends a command to the main process over the window's port. Throws if the answer is an error. */
async function callHost<C extends CommandName>(page: Page, command: C, input: Input<C>): Promise<Output<C>> {
  const result = await page.evaluate(
    ([name, given]) =>
      new Promise<unknown>((resolve) => {
        const port = Reflect.get(window, 'journeyPort') as MessagePort;
        // The window counts its own ids up from one.
        const id = 1_000_000_000 + Math.floor(Math.random() * 1_000_000_000);
        const hear = ({ data }: MessageEvent<{ kind: string; id?: number; result?: unknown }>) => {
          if (data.kind !== 'reply' || data.id !== id) return;
          port.removeEventListener('message', hear);
          resolve(data.result);
        };
        port.addEventListener('message', hear);
        port.postMessage({ kind: 'call', id, command: name, input: given });
      }),
    [command, input] as const,
  );
  const answer = result as Result<Output<C>>;
  if (!answer.ok) throw new Error(`${command}: ${inEnglish(answer.error)}`);
  return answer.value;
}

/** Reloads the window with empty storage and waits for its port. */
async function reload(page: Page): Promise<void> {
  // Cleared after the reload, because the window saves its state once more when it unloads.
  await page.evaluate((forget) => sessionStorage.setItem(forget, ''), FORGET);
  await page.reload();
  await page.waitForFunction(() => Reflect.has(window, 'journeyPort'));
}

/** Prepares a new app for `resetApp`. */
export async function prepareSharing({ app, page }: RunningApp): Promise<void> {
  await page.addInitScript(installHooks, FORGET);
  await app.evaluate(({ app: own, dialog, shell }) => {
    const { showOpenDialog, showSaveDialog, showMessageBox, showErrorBox } = dialog;
    const { openExternal, openPath, showItemInFolder, trashItem } = shell;
    const { relaunch } = own;
    const restorePatched = () => {
      Object.assign(dialog, { showOpenDialog, showSaveDialog, showMessageBox, showErrorBox });
      Object.assign(shell, { openExternal, openPath, showItemInFolder, trashItem });
      Object.assign(own, { relaunch });
      Reflect.deleteProperty(globalThis, 'askedOutside');
    };
    Object.assign(globalThis, { restorePatched });
  });
  await reload(page);
}

/**
 * Resets the app to its state after the first start: default settings, an empty window, and a new copy of the sample project
 * as the only project. Costs one reload, a fifth of a start. Returns the project's folder.
 */
export async function resetApp({ app, page }: RunningApp): Promise<string> {
  await app.evaluate(({ BrowserWindow, clipboard }, size) => {
    Reflect.get(globalThis, 'restorePatched')();
    clipboard.clear();
    for (const [index, window] of BrowserWindow.getAllWindows().reverse().entries()) {
      if (index > 0) window.destroy();
      window.webContents.setZoomFactor(1);
      window.setSize(size.width, size.height);
    }
  }, SIZE);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null });
  await page.mouse.move(0, 0);
  const state = await callHost(page, 'app.open', {});
  for (const { id } of state.projects) await callHost(page, 'project.remove', { projectId: id });
  for (const { id } of state.rules) await callHost(page, 'rules.remove', { id });
  const { memories } = await callHost(page, 'memories.list', {});
  for (const { path } of memories) await callHost(page, 'memories.delete', { path });
  const { places } = await callHost(page, 'places.list', { projectId: null });
  for (const { id } of places) await callHost(page, 'places.remove', { id });
  const { agents } = await callHost(page, 'agents.list', { projectId: null });
  for (const { id } of agents) await callHost(page, 'agents.remove', { id });
  await callHost(page, 'settings.change', DEFAULT_SETTINGS);

  const folder = join(makeFolder('s'), 'sample-project');
  cpSync(join(root, 'resources', 'sample-project'), folder, { recursive: true });
  giveToApp(folder);
  await answerFolderDialog(app, folder);
  await reload(page);
  // After the reload, so that the new window starts the project's first thread, once.
  await callHost(page, 'project.choose', {});
  await app.evaluate(() => Reflect.get(globalThis, 'restorePatched')());
  await composer(page).waitFor();
  return folder;
}
