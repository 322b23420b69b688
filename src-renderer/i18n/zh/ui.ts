import type { Words } from '../../ui';

export const ui: Words = {
  close: '关闭',
  copy: '复制',
  copied: '已复制',
  wrap: '自动换行',
  saveFile: '保存为文件…',
  diagram: '图表',
  showDiagram: '显示图表',
  showSource: '显示源码',
  diagramFailed: 'mermaid（无法绘制）',
  table: '表格',
  details: '详情',
  unchangedLines: '{count} 行未更改',
  binaryOrEmpty: '没有可显示的内容',
  diffAdded: '新增',
  diffRemoved: '删除',
  loading: '正在加载',
};
