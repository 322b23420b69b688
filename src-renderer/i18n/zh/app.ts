import type { app as en } from '../en/app';
import type { Same } from '../types';

export const app: Same<typeof en> = {
  starting: '正在打开 Deepdesk',
  notConnected: '无法准备此窗口。已保存的内容不会丢失。请关闭窗口后重新打开 Deepdesk。',
  crashed: '窗口的这一部分无法显示。已保存的内容不会丢失。',
  tryAgain: '重试',
  showSidebar: '显示或隐藏会话列表',
  showDock: '显示或隐藏文件、更改、记忆和计划',
  showTerminal: '显示或隐藏终端',
  files: '文件',
  memories: '记忆',
  plan: '计划',
  changes: '更改',
  dock: '文件、更改、记忆和计划',
  conversation: '对话',
  threads: '会话',
  resize: '调整大小',
  contextUsed: '上下文 {used} 个 token',
  contextOf: '已用 {window} 上下文的 {percent}',
  noProject: '选择一个文件夹开始。智能体在其中读取和修改文件，每次修改前都会询问。',
  addFolder: '添加文件夹',
  noThread: '每个会话是关于此文件夹的一次对话。新建一个即可开始。',
  newThread: '新建会话',
  threadFailed: '无法打开此会话。',
};
