import type { chat as en } from '../en/chat';
import type { Same } from '../types';

export const chat: Same<typeof en> = {
  you: '你',
  agent: '智能体',
  messages: '消息',
  copyMessage: '复制消息',
  reasoning: '推理过程',
  cut: '回答在此中断，其中提到的调用均未执行。',
  retry: '重试',
  continue: '继续',
  key: '输入密钥',
  interrupted: '此轮运行时 Deepdesk 被关闭。已完成的内容已保留，执行过的操作不会再次执行。',
  working: '正在处理',
  earlier: '显示之前的 {count} 步',
  latest: '转到最新',
  waitingBelow: '{count} 项等待你决定',
  composer: '给智能体的消息',
  placeholder: '提问，或说明要做什么',
  placeholderRunning: '智能体正在工作，现在发送的消息会排队',
  placeholderWaiting: '上方有待决定的操作，现在发送的消息会排队',
  send: '发送',
  queue: '本轮结束后发送',
  stop: '停止',
  queued: '{count} 条消息排队中',
  withdraw: '撤回到输入框',
  tooLong: '消息超过 {limit} 个字符。请把内容存成文件夹中的文件并告诉智能体文件名。',
};
