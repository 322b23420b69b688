import compact from './prompts/compact_conversation.md?raw';
import remove from './prompts/delete.md?raw';
import editFile from './prompts/edit_file.md?raw';
import execute from './prompts/execute.md?raw';
import glob from './prompts/glob.md?raw';
import grep from './prompts/grep.md?raw';
import jobOutput from './prompts/job_output.md?raw';
import listJobs from './prompts/list_jobs.md?raw';
import ls from './prompts/ls.md?raw';
import readFile from './prompts/read_file.md?raw';
import stopJob from './prompts/stop_job.md?raw';
import task from './prompts/task.md?raw';
import writeFile from './prompts/write_file.md?raw';
import writeTodos from './prompts/write_todos.md?raw';

/** The harness's own tools with what a model is told of them, in the order in which a person looks for them. */
export const BUILT_IN_TOOLS: readonly { name: string; description: string }[] = [
  { name: 'ls', description: ls },
  { name: 'read_file', description: readFile },
  { name: 'write_file', description: writeFile },
  { name: 'edit_file', description: editFile },
  { name: 'delete', description: remove },
  { name: 'glob', description: glob },
  { name: 'grep', description: grep },
  { name: 'execute', description: execute },
  { name: 'list_jobs', description: listJobs },
  { name: 'job_output', description: jobOutput },
  { name: 'stop_job', description: stopJob },
  { name: 'task', description: task },
  { name: 'write_todos', description: writeTodos },
  { name: 'compact_conversation', description: compact },
];
