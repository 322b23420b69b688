import type { receipt as en } from '../en/receipt';
import type { Same } from '../types';

export const receipt: Same<typeof en> = {
  title: '本轮所做的事',
  files: '更改了 {count} 个文件',
  commands: '{count} 条命令',
  failed: '{count} 条失败',
  memories: '更改了 {count} 条记忆',
  review: '查看',
  undo: '撤销',
  undoLabel: '撤销本轮对文件的更改',
  undone: '已撤销',
  partlyUndone: '已撤销 {count} 个中的 {done} 个',
  restore: '恢复',
};
