import type { Storage } from '../../storage';
import type { ShellServices } from './desktop-services';

/** What quitting would stop. */
export interface AtWork {
  /** Threads whose agent is working. One that waits for an answer still waits after the next start. */
  threads: number;
  /** Commands that the agent left running on purpose. */
  jobs: number;
}

/** The main process's own strings, for notifications and native dialogs. */
export interface MainWords {
  // Notifications
  waits(count: number): string;
  writes(path: string): string;
  deletes(path: string): string;
  finished: string;
  failed: string;
  untitled: string;
  // Shown in the browser after a sign-in
  signedIn: string;
  notSignedIn: string;
  // Quitting during work
  quitQuestion: string;
  quitDetail(atWork: AtWork): string;
  stay: string;
  quit: string;
  // Opening a link outside the app
  linkQuestion: string;
  cancel: string;
  open: string;
  // Folders dropped on a window
  dropQuestion: string;
  doNotOpen: string;
  openFolder: string;
  // Dialogs for folders and files
  chooseFolder: string;
  saveFile: string;
  chooseFile: string;
  /** A file type, by its extensions. */
  files(endings: readonly string[]): string;
  // When nothing can be shown
  noWindow: string;
  noWindowDetail: string;
  noStart: string;
  noStartDetail(message: string, folder: string): string;
  // The menu bar before a window has sent its own
  edit: string;
  undo: string;
  redo: string;
  cut: string;
  copy: string;
  paste: string;
  selectAll: string;
  window: string;
}

const count = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export type MainLanguage = 'en' | 'zh';

export const WORDS: Readonly<Record<MainLanguage, MainWords>> = {
  en: {
    waits: (waiting) => (waiting === 1 ? 'A decision waits for you' : `${waiting} decisions wait for you`),
    writes: (path) => `write ${path}`,
    deletes: (path) => `delete ${path}`,
    finished: 'The agent is done',
    failed: 'The agent could not go on',
    untitled: 'New thread',
    signedIn: 'You are signed in. You can close this page and go back to Deepdesk.',
    notSignedIn: 'You are not signed in. Deepdesk says why; you can try it again there.',
    quitQuestion: 'Quit while the agent is at work?',
    quitDetail: ({ threads, jobs }) => {
      const stopped = [
        ...(threads > 0 ? [`the agent works in ${count(threads, 'thread')}`] : []),
        ...(jobs > 0 ? [`${count(jobs, 'job')} of the agent ${jobs === 1 ? 'is' : 'are'} running`] : []),
      ];
      return `${sentence(stopped.join(', and '))} Quitting stops that. What was done stays, and each thread can go on later.`;
    },
    stay: 'Keep working',
    quit: 'Quit',
    linkQuestion: 'Open this address in the browser?',
    cancel: 'Cancel',
    open: 'Open',
    dropQuestion: 'Open what was dropped as a project?',
    doNotOpen: 'Do not open',
    openFolder: 'Open folder',
    chooseFolder: 'Choose a folder',
    saveFile: 'Save as',
    chooseFile: 'Choose a file',
    files: (endings) => `Files: ${endings.join(', ')}`,
    noWindow: 'Deepdesk cannot show its window',
    noWindowDetail:
      'The page stopped several times in a row and was not loaded again. Nothing saved is lost. Close the window and open Deepdesk again.',
    noStart: 'Deepdesk cannot start',
    noStartDetail: (message, folder) => `${message}\n\nYour data is in ${folder}; nothing there was deleted.`,
    edit: 'Edit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
    window: 'Window',
  },
  zh: {
    waits: (waiting) => `${waiting} 项决定等待你处理`,
    writes: (path) => `写入 ${path}`,
    deletes: (path) => `删除 ${path}`,
    finished: '智能体已完成',
    failed: '智能体无法继续',
    untitled: '新会话',
    signedIn: '你已登录。可以关闭此页面，返回 Deepdesk。',
    notSignedIn: '你尚未登录。Deepdesk 中会说明原因，可以在那里重试。',
    quitQuestion: '智能体正在工作，仍要退出吗？',
    quitDetail: ({ threads, jobs }) => {
      const stopped = [
        ...(threads > 0 ? [`智能体正在 ${threads} 个会话中工作`] : []),
        ...(jobs > 0 ? [`有 ${jobs} 个后台任务正在运行`] : []),
      ];
      return `${stopped.join('，')}。退出会停止它们。已经完成的内容会保留，之后每个会话都可以继续。`;
    },
    stay: '继续工作',
    quit: '退出',
    linkQuestion: '在浏览器中打开此地址？',
    cancel: '取消',
    open: '打开',
    dropQuestion: '将拖入的文件夹作为项目打开？',
    doNotOpen: '不打开',
    openFolder: '打开文件夹',
    chooseFolder: '选择文件夹',
    saveFile: '另存为',
    chooseFile: '选择文件',
    files: (endings) => `文件：${endings.join('、')}`,
    noWindow: 'Deepdesk 无法显示窗口',
    noWindowDetail: '页面接连多次停止，未再重新加载。已保存的内容不会丢失。请关闭窗口后重新打开 Deepdesk。',
    noStart: 'Deepdesk 无法启动',
    noStartDetail: (message, folder) => `${message}\n\n你的数据位于 ${folder}，其中没有任何内容被删除。`,
    edit: '编辑',
    undo: '撤销',
    redo: '重做',
    cut: '剪切',
    copy: '复制',
    paste: '粘贴',
    selectAll: '全选',
    window: '窗口',
  },
};

/** The main process's language: the chosen one, else the system's if it is supported. */
export function mainLanguage(chosen: 'system' | MainLanguage, locale: string | undefined): MainLanguage {
  if (chosen !== 'system') return chosen;
  return locale?.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

/** The strings in the person's language. */
export const wordsOf = (storage: Storage, shell: ShellServices): MainWords =>
  WORDS[mainLanguage(storage.settings.read().language, shell.locale?.())];
