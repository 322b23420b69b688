import { type Language, type NativeText, nativeText } from '../../../src-renderer/i18n/native';
import type { Storage } from '../../storage';
import type { DesktopServices } from './desktop-services';

/** The main process's language: the chosen one, else the system's if it is supported. */
export function mainLanguage(chosen: 'system' | Language, locale: string | undefined): Language {
  if (chosen !== 'system') return chosen;
  return locale?.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

/** The language of the person. */
export const languageOf = (storage: Storage, desktop: Pick<DesktopServices, 'locale'>): Language =>
  mainLanguage(storage.settings.read().language, desktop.locale?.());

/** The main process's own texts in the person's language. */
export const nativeTextOf = (storage: Storage, desktop: Pick<DesktopServices, 'locale'>): NativeText =>
  nativeText(languageOf(storage, desktop));
