import type { ElectronApplication } from '@playwright/test';

/** What a dialog of the system asked: its question, and the detail below. */
export interface Asked {
  message: string;
  detail: string;
  /** Its buttons; the first is the one that a key presses. */
  buttons: string[];
  defaultId: number;
}

/** Answers the dialogs with which Deepdesk asks outside of its window, from now on, as the person would. */
export async function answerConfirmations(app: ElectronApplication, yes: boolean): Promise<void> {
  await app.evaluate(({ dialog }, response) => {
    const asked: Asked[] = Reflect.get(globalThis, 'askedOutside') ?? [];
    Object.assign(globalThis, { askedOutside: asked });
    dialog.showMessageBox = (async (...words: unknown[]) => {
      const {
        message,
        detail = '',
        buttons = [],
        defaultId = -1,
      } = words.at(-1) as Electron.MessageBoxOptions;
      asked.push({ message, detail, buttons: [...buttons], defaultId });
      return { response, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
  }, Number(yes));
}

/** What was asked since `answerConfirmations`. */
export const askedOutside = (app: ElectronApplication): Promise<Asked[]> =>
  app.evaluate(() => (Reflect.get(globalThis, 'askedOutside') ?? []) as Asked[]);
