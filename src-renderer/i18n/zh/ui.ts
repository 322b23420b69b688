import type { Words } from '../../ui';

export const ui: Words = {
  close: '关闭',
  copy: '复制',
  copied: '已复制',
  wrap: '自动换行',
  details: '详情',
  unchangedLines: '{count} 行未更改',
  binaryOrEmpty: '没有可显示的内容',
  diffAdded: '新增',
  diffRemoved: '删除',
  loading: '正在加载',
};
