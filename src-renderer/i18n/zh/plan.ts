import type { plan as en } from '../en/plan';
import type { Same } from '../types';

export const plan: Same<typeof en> = {
  title: '计划',
  progress: '已完成 {done} / {total}',
  pending: '待办',
  inProgress: '进行中',
  completed: '已完成',
  empty: '当任务有多个步骤时，智能体会在此写下计划，并勾选已完成的部分。',
};
