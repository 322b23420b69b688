import { type Language, type NativeText, nativeText } from '../../../src-renderer/i18n/native';
import type { Storage } from '../../storage';
import type { ShellServices } from './desktop-services';

/** The main process's language: the chosen one, else the system's if it is supported. */
export function mainLanguage(chosen: 'system' | Language, locale: string | undefined): Language {
  if (chosen !== 'system') return chosen;
  return locale?.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

/** The language of the person. */
export const languageOf = (storage: Storage, shell: Pick<ShellServices, 'locale'>): Language =>
  mainLanguage(storage.settings.read().language, shell.locale?.());

/** The main process's own texts in the person's language. */
export const nativeTextOf = (storage: Storage, shell: Pick<ShellServices, 'locale'>): NativeText =>
  nativeText(languageOf(storage, shell));
