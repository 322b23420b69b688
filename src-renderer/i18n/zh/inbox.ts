import type { inbox as en } from '../en/inbox';
import type { Same } from '../types';

export const inbox: Same<typeof en> = {
  title: '等待你处理',
  open: '等待你处理',
  openCount: '{count} 项决定等待你处理',
  count: '{count} 项等待你决定',
  empty: '智能体等待你做出的每项决定都会显示在这里，涵盖所有项目和会话。',
  where: '{project} › {thread}',
  asked: '提出于{ago}',
  subAgent: '子智能体 {agent}',
  awaitsInput: '有命令在等待你输入',
  showTerminal: '显示终端',
  showThread: '在会话中显示',
};
