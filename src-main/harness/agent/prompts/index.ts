// The prompts, for programs that assemble one themselves. An agent learns about its tools from their descriptions, and has
// no base prompt unless it is given one.

import base from './base.md?raw';
import execute from './execute.md?raw';
import asyncTasks from './start_async_task.md?raw';
import task from './task.md?raw';

/** About sub-agents on LangGraph servers. */
export const ASYNC_TASK_SYSTEM_PROMPT: string = asyncTasks;
/** How an agent works and answers. */
export const BASE_AGENT_PROMPT: string = base;
/** About running commands. */
export const EXECUTION_SYSTEM_PROMPT: string = execute;
/** About giving tasks to sub-agents. */
export const TASK_SYSTEM_PROMPT: string = task;
