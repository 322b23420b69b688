import type { Language } from '../../src-renderer/i18n/fill';
import type { LaunchOptions } from './app';

const TAGS: Record<Language, string> = { en: 'en-US', zh: 'zh-CN' };

/**
 * Launch options for a system in this language. On Linux only with its variable: for `--lang`, Electron changes the environment
 * while a thread for D-Bus reads it, which ended a start in several hundred (a fault in `getenv`).
 */
export function onSystemIn(language: Language): Required<Pick<LaunchOptions, 'args' | 'env'>> {
  const tag = TAGS[language];
  return {
    args: process.platform === 'linux' ? [] : [`--lang=${tag}`],
    env: { LANGUAGE: tag.replace('-', '_') },
  };
}
