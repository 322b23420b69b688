// The prompts, for programs that assemble one themselves. An agent learns about its tools from their descriptions, and has
// no base prompt unless it is given one.

import execute from './execute.md?raw';
import asyncTasks from './start_async_task.md?raw';
import base from './system.md?raw';
import task from './task.md?raw';

export const ASYNC_TASK_SYSTEM_PROMPT: string = asyncTasks;
export const BASE_AGENT_PROMPT: string = base;
export const EXECUTION_SYSTEM_PROMPT: string = execute;
export const TASK_SYSTEM_PROMPT: string = task;
