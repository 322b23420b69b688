import type { questions as en } from '../en/questions';
import type { Same } from '../types';

export const questions: Same<typeof en> = {
  heading: { one: '智能体有一个问题', other: '智能体有 {count} 个问题' },
  headingOf: { one: '{agent} 有一个问题', other: '{agent} 有 {count} 个问题' },
  what: '问题',
  several: '可多选',
  answer: '你的回答',
  ownAnswer: '用自己的话回答（可选）',
  send: { one: '发送回答', other: '发送 {count} 个回答' },
  incomplete: '请先回答所有问题。',
  declineWhy: '拒绝回答…',
  decline: '拒绝回答',
  declineMessage: '给智能体的留言（可选）',
  unanswered: '尚未回答',
};
