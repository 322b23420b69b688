import type { native as en } from '../en/native';
import type { Same } from '../types';

export const native: Same<typeof en> = {
  // 通知
  pendingDecisions: '{count} 项决定等待你处理',
  inThread: '{title}：{text}',
  writes: '写入 {path}',
  deletes: '删除 {path}',
  awaitsInput: '有命令在等待你输入',
  finished: '智能体已完成',
  failed: '智能体无法继续',
  taskDone: '{agent} 已完成一项任务',
  taskFailed: '{agent} 未能完成一项任务',
  untitled: '新会话',

  // 登录后在浏览器中显示
  signedIn: '你已登录。可以关闭此页面，返回 Deepdesk。',
  notSignedIn: '你尚未登录。Deepdesk 中会说明原因，可以在那里重试。',

  // 工作期间退出
  quitQuestion: '智能体正在工作，仍要退出吗？',
  quitThreads: '智能体正在 {count} 个会话中工作。',
  quitJobs: '有 {count} 个后台任务正在运行。',
  quitStops: '退出会停止它们。已经完成的内容会保留，之后每个会话都可以继续。',
  quitBackupQuestion: '正在备份，仍要退出吗？',
  quitBackup: '退出会取消备份，不会留下备份文件。',
  stay: '继续工作',
  quit: '退出',

  // 在应用外打开链接
  linkQuestion: '在浏览器中打开此地址？',
  cancel: '取消',
  open: '打开',

  // 拖入窗口的文件夹
  dropQuestion: { one: '将拖入的文件夹作为项目打开？', other: '将拖入的 {count} 个文件夹作为项目打开？' },
  andMore: { one: '另有 {count} 个', other: '另有 {count} 个' },
  doNotOpen: '不打开',
  openFolder: '打开文件夹',

  // 文件夹和文件对话框
  chooseFolder: '选择文件夹',
  saveFile: '另存为',
  chooseFile: '选择文件',
  files: '文件：{extensions}',
  comma: '、',

  // 准备数据库时
  slowData: 'Deepdesk 正在检查数据库',
  slowDataDetail: '如有损坏会进行修复。这可能需要一分钟，完成后会显示你的会话。',
  ok: '确定',

  // 无法显示时
  noWindow: 'Deepdesk 无法显示窗口',
  noWindowDetail:
    '页面接连多次停止。消息、决定、更改和撤销记录都已保存，只有正在输入的文字可能丢失。安全模式启动时不使用 MCP 服务器和图形加速。',
  restartSafely: '以安全模式重新启动',
  notNow: '暂不',
  noStart: 'Deepdesk 无法启动',
  noStartDetail:
    '{message}\n\n你的数据位于 {folder}，其中没有任何内容被删除。如果再次发生，请运行 {command}。',

  // 窗口发来菜单之前的菜单栏
  edit: '编辑',
  undo: '撤销',
  redo: '重做',
  cut: '剪切',
  copy: '复制',
  paste: '粘贴',
  selectAll: '全选',
  window: '窗口',
};
