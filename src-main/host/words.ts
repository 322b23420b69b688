import type { Storage } from '../storage';
import type { ShellServices } from './shell-services';

/** What the system says for the app where no window says it: the same in each language. */
export interface HostWords {
  waits(count: number): string;
  finished: string;
  failed: string;
  untitled: string;
}

const WORDS: { en: HostWords; zh: HostWords } = {
  en: {
    waits: (count) => (count === 1 ? 'A decision waits for you' : `${count} decisions wait for you`),
    finished: 'The agent is done',
    failed: 'The agent could not go on',
    untitled: 'New thread',
  },
  zh: {
    waits: (count) => `${count} 项决定等待你处理`,
    finished: '智能体已完成',
    failed: '智能体无法继续',
    untitled: '新会话',
  },
};

/** The words in the person's language: the one chosen, else the system's where it is one of ours. */
export function wordsOf(storage: Storage, shell: ShellServices): HostWords {
  const { language } = storage.settings.read();
  if (language !== 'system') return WORDS[language];
  return shell.locale?.().toLowerCase().startsWith('zh') ? WORDS.zh : WORDS.en;
}
