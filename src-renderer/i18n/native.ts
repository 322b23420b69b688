import type { ApprovalMode } from '@contract/control';
import { confirm as enConfirm } from './en/confirm';
import { modes as enModes, modeTexts as enModeTexts } from './en/modes';
import { native as en } from './en/native';
import { fill, type Language } from './fill';
import type { Entry, NamesIn } from './types';
import { confirm as zhConfirm } from './zh/confirm';
import { modes as zhModes, modeTexts as zhModeTexts } from './zh/modes';
import { native as zh } from './zh/native';

export type { Language };

type Texts = Readonly<Record<string, Entry>>;

/** Tells a text of one table in one language: `t('writes', { path })`. */
export type Tell<T> = <K extends keyof T & string>(
  key: K,
  ...values: [NamesIn<T[K]>] extends [never] ? [] : [values: Record<NamesIn<T[K]>, string | number>]
) => string;

const teller =
  <T extends Texts>(language: Language, texts: Texts): Tell<T> =>
  (key, ...[values]) =>
    fill(language, texts[key] ?? key, values ?? {});

/** The texts of notifications, system dialogs and the first menu, which the main process shows itself. */
export type NativeText = Tell<typeof en>;
export const nativeText = (language: Language): NativeText => teller(language, language === 'zh' ? zh : en);

/** The questions that the main process asks outside the window. */
export type ConfirmText = Tell<typeof enConfirm>;
export const confirmText = (language: Language): ConfirmText =>
  teller(language, language === 'zh' ? zhConfirm : enConfirm);

/** An approval mode by its name, and what it does. */
export const modeText = (language: Language, mode: ApprovalMode): { name: string; description: string } => {
  const [names, texts] = language === 'zh' ? [zhModes, zhModeTexts] : [enModes, enModeTexts];
  return { name: fill(language, names[mode], {}), description: fill(language, texts[mode], {}) };
};
