// What the model is told, for programs that put a prompt together themselves. An agent is told of its tools by their own
// descriptions, and has no base prompt unless it is given one.
export { default as EXECUTION_SYSTEM_PROMPT } from './execute.md?raw';
export { default as BASE_AGENT_PROMPT } from './system.md?raw';
export { default as TASK_SYSTEM_PROMPT } from './task.md?raw';
