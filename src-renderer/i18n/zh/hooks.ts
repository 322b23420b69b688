import type { hooks as en } from '../en/hooks';
import type { Same } from '../types';

export const hooks: Same<typeof en> = {
  about: '钩子是项目在工具调用前后以及每轮结束时运行的命令。它们可以拒绝调用，但从不允许调用。',
  project: '项目',
  none: '此项目没有钩子。钩子写在 {source} 中。',
  run: '运行此项目的钩子',
  list: '钩子',
  before_tool: '工具调用之前',
  after_tool: '工具调用之后',
  turn_end: '每轮结束时',
  for: '{event}：{what}',
  limit: '最多 {seconds} 秒',
  limitDenies: '最多 {seconds} 秒。如果失败，调用会被拒绝。',
  notRun: 'Deepdesk 启动后尚未运行',
  ran: '运行于 {at}，{time}',
  denied: '于 {at} 拒绝了一个调用，{time}',
  failed: '于 {at} 失败，{time}',
  withdraw: '不再允许',
  consentTitle: '这些钩子等待你的决定。',
  consentText:
    '此文件写有不经询问就会运行的命令。只有在你允许其确切内容之后它们才会运行。内容变化时会再次询问你。',
  source: '来自 {source}',
  scripts: '这些命令会运行以下文件。其中任何一个变化时会再次询问你：{files}',
  allow: '允许…',
};
