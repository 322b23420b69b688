import type { ActionId } from './registry';

/** Words that people type for an action whose label says it differently, in both languages. They are searched, never shown. */
const OTHER_WORDS: Partial<Record<ActionId, string>> = {
  undoLast: 'revert restore bring back 恢复 还原',
  showChanges: 'undo revert discard diff review git 撤销 还原 差异',
  activity: 'undo log history 撤销 历史',
  settings: 'preferences options 选项 偏好',
  otherTheme: 'dark mode light mode 深色 浅色',
  larger: 'zoom in font 放大 字体',
  smaller: 'zoom out font 缩小 字体',
  usualSize: 'zoom font 字体',
  deleteThread: 'remove 移除',
  toggleTerminal: 'shell console 控制台',
  quickOpen: 'find file go to file 查找文件',
  inbox: 'approvals inbox 批准',
  focusApproval: 'allow reject 允许 拒绝',
  stop: 'cancel abort 取消',
  addRemoteFolder: 'ssh remote server docker podman 远程 服务器',
  addFolder: 'open project workspace 打开项目',
};

export const otherWords = (id: ActionId): string => OTHER_WORDS[id] ?? '';
