import type { since as en } from '../en/since';
import type { Same } from '../types';

export const since: Same<typeof en> = {
  label: '你离开之后',
  heading: '自你离开（{ago}）以来',
  files: '{count} 个文件已更改',
  commands: '运行了 {count} 条命令',
  failed: '{count} 条失败',
  memories: '写入了 {count} 条记忆',
  autoApproved: '{count} 项未经询问而运行',
  cost: '花费 {cost}',
  unpriced: '另有价格未知的请求',
  waiting: '{count} 项决定等待处理',
  more: '还有 {count} 个',
  details: '逐项查看发生了什么',
  fileAdded: '新建',
  fileChanged: '已更改',
  fileRemoved: '已删除',
  memoryCreated: '写入记忆：{path}',
  memoryChanged: '更改记忆：{path}',
  memoryDeleted: '删除记忆：{path}',
  exit: '退出码 {code}',
  cutOff: '被中断',
};
