import type { ToolDescriptor } from '../descriptor';

/** Tools for the tasks that agents on a LangGraph server work on. */
export const startAsyncTask = {
  name: 'start_async_task',
  effect: 'sends',
  display: 'remote-start',
  offloadsResult: true,
  resultIsOwn: true,
} as const satisfies ToolDescriptor;

export const updateAsyncTask = {
  name: 'update_async_task',
  effect: 'sends',
  display: 'remote-update',
  offloadsResult: true,
  resultIsOwn: true,
} as const satisfies ToolDescriptor;

export const checkAsyncTask = {
  name: 'check_async_task',
  effect: 'thread',
  display: 'remote-check',
  offloadsResult: true,
} as const satisfies ToolDescriptor;

export const listAsyncTasks = {
  name: 'list_async_tasks',
  effect: 'thread',
  display: 'remote-list',
  offloadsResult: true,
  resultIsOwn: true,
} as const satisfies ToolDescriptor;

export const cancelAsyncTask = {
  name: 'cancel_async_task',
  effect: 'thread',
  display: 'remote-cancel',
  offloadsResult: true,
  resultIsOwn: true,
} as const satisfies ToolDescriptor;
