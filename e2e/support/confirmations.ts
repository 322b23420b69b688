import type { ElectronApplication } from '@playwright/test';

/** What a system dialog asked: its question, and the detail below. */
export interface Asked {
  message: string;
  detail: string;
  /** Its buttons; the first is the default button. */
  buttons: string[];
  defaultId: number;
}

/** From now on, answers the dialogs that Deepdesk shows outside its window, like a person. */
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

/** The questions since `answerConfirmations`. */
export const askedOutside = (app: ElectronApplication): Promise<Asked[]> =>
  app.evaluate(() => (Reflect.get(globalThis, 'askedOutside') ?? []) as Asked[]);
