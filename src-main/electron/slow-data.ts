import { BrowserWindow, dialog } from 'electron';
import type { NativeText } from '../../src-renderer/i18n/native';

/** Milliseconds until the person is told: most checks and repairs are shorter. */
const TOLD_AFTER = 1_000;

/** Says that the database is checked, migrated or repaired, until the returned function is called. */
export function saySlowData(
  words: () => NativeText,
  report: (where: string, error: unknown) => void,
): () => void {
  const over = new AbortController();
  const tell = async () => {
    const [window] = BrowserWindow.getAllWindows();
    if (window === undefined) return;
    // Above 1: without a known end.
    window.setProgressBar(2);
    over.signal.addEventListener('abort', () => window.isDestroyed() || window.setProgressBar(-1));
    // On macOS, the signal closes only a message that belongs to a window.
    await dialog.showMessageBox(window, {
      type: 'info',
      message: words()('slowData'),
      detail: words()('slowDataDetail'),
      buttons: [words()('ok')],
      signal: over.signal,
    });
  };
  const timer = setTimeout(() => {
    tell().catch((error: unknown) => report('slow data', error));
  }, TOLD_AFTER);
  return () => {
    clearTimeout(timer);
    over.abort();
  };
}
