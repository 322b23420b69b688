import { TOOLS } from '../tools/catalogue';
import askUser from './prompts/ask_user.md?raw';
import cancelAsyncTask from './prompts/cancel_async_task.md?raw';
import checkAsyncTask from './prompts/check_async_task.md?raw';
import compact from './prompts/compact_conversation.md?raw';
import remove from './prompts/delete.md?raw';
import editFile from './prompts/edit_file.md?raw';
import execute from './prompts/execute.md?raw';
import fetchUrl from './prompts/fetch_url.md?raw';
import glob from './prompts/glob.md?raw';
import grep from './prompts/grep.md?raw';
import jobOutput from './prompts/job_output.md?raw';
import listAsyncTasks from './prompts/list_async_tasks.md?raw';
import listJobs from './prompts/list_jobs.md?raw';
import ls from './prompts/ls.md?raw';
import readFile from './prompts/read_file.md?raw';
import startAsyncTask from './prompts/start_async_task.md?raw';
import stopJob from './prompts/stop_job.md?raw';
import task from './prompts/task.md?raw';
import updateAsyncTask from './prompts/update_async_task.md?raw';
import writeFile from './prompts/write_file.md?raw';
import writeTodos from './prompts/write_todos.md?raw';

/** The harness's own tools and their descriptions for a model, in display order. */
export const BUILT_IN_TOOLS: readonly { name: string; description: string }[] = [
  { name: TOOLS.ls.name, description: ls },
  { name: TOOLS.readFile.name, description: readFile },
  { name: TOOLS.writeFile.name, description: writeFile },
  { name: TOOLS.editFile.name, description: editFile },
  { name: TOOLS.deleteFile.name, description: remove },
  { name: TOOLS.glob.name, description: glob },
  { name: TOOLS.grep.name, description: grep },
  { name: TOOLS.execute.name, description: execute },
  { name: TOOLS.listJobs.name, description: listJobs },
  { name: TOOLS.jobOutput.name, description: jobOutput },
  { name: TOOLS.stopJob.name, description: stopJob },
  { name: TOOLS.task.name, description: task },
  { name: TOOLS.writeTodos.name, description: writeTodos },
  { name: TOOLS.compactConversation.name, description: compact },
  { name: TOOLS.askUser.name, description: askUser },
  { name: TOOLS.fetchUrl.name, description: fetchUrl },
  { name: TOOLS.startAsyncTask.name, description: startAsyncTask },
  { name: TOOLS.checkAsyncTask.name, description: checkAsyncTask },
  { name: TOOLS.updateAsyncTask.name, description: updateAsyncTask },
  { name: TOOLS.cancelAsyncTask.name, description: cancelAsyncTask },
  { name: TOOLS.listAsyncTasks.name, description: listAsyncTasks },
];
