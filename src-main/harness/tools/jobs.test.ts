import { ToolMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { createFilesystemMiddleware } from '../agent/middleware/filesystem';
import { LocalShellBackend } from '../backends';
import type { CommandRunner, ExecuteOptions, JobControl, JobInfo } from '../backends/commands';
import { executeTool } from './execute';
import { jobOutputTool, listJobsTool, stopJobTool } from './jobs';

const job = (more: Partial<JobInfo> = {}): JobInfo => ({
  id: 'j1',
  command: 'npm run dev',
  cwd: '/p',
  status: 'running',
  exitCode: null,
  startedAt: 1,
  endedAt: null,
  ...more,
});

/** The tool's answer to the model, and whether it reports success. */
async function call(tool: ReturnType<typeof listJobsTool>, args: Record<string, unknown> = {}) {
  const message: unknown = await tool.invoke({ type: 'tool_call', id: 'c', name: tool.name, args });
  if (!ToolMessage.isInstance(message)) throw new Error('No answer.');
  return `${message.status}: ${message.text}`;
}

const control = (more: Partial<JobControl> = {}): JobControl => ({
  list: async () => [],
  output: async () => ({ error: "Error: there is no job 'x'. No jobs were started.", kind: 'not_found' }),
  stop: async () => ({ job: job({ status: 'stopped' }) }),
  ...more,
});

const runnerWith = (jobs: boolean): CommandRunner => {
  const outcome = { output: 'listening\n', exitCode: null, truncated: false, timedOut: false, durationMs: 1 };
  const run = async () => ({ ...outcome, exitCode: 0 });
  return jobs
    ? { run, jobs: control(), start: async () => ({ ...outcome, jobId: 'j1', outputFile: '/o/c.log' }) }
    : { run };
};
const backendWith = (jobs: boolean) => new LocalShellBackend({ rootDir: '/tmp', runner: runnerWith(jobs) });

describe('the tools for jobs', () => {
  it('list jobs with their state and shorten long commands', async () => {
    const list = async () => [
      job(),
      job({ id: 'j2', command: 'make\nmake test', status: 'exited', exitCode: 2 }),
      job({ id: 'j3', status: 'lost' }),
      job({ id: 'j4', status: 'stopped' }),
      job({ id: 'j5', status: 'timed_out' }),
    ];
    expect(await call(listJobsTool(control({ list }), 'd'))).toBe(
      [
        'success: j1  running  npm run dev',
        'j2  exited with code 2  make …',
        'j3  stopped when the app closed  npm run dev',
        'j4  stopped  npm run dev',
        'j5  stopped: timed out  npm run dev',
      ].join('\n'),
    );
    expect(await call(listJobsTool(control(), 'd'))).toBe('success: No jobs were started.');
  });

  it('show a page and where to continue', async () => {
    const asked: unknown[] = [];
    const output: JobControl['output'] = async (id, page) => {
      asked.push([id, page]);
      return { job: job(), text: 'one\n', offset: 5, nextOffset: 10, end: 30 };
    };
    const tool = jobOutputTool(control({ output }), 'd');
    expect(await call(tool, { job_id: 'j1' })).toBe(
      'success: one\n[Job j1: running. There is more: continue with offset 10.]',
    );
    expect(await call(tool, { job_id: 'j1', offset: '0' })).toBe(
      'success: [Earlier output is no longer available here.]\none\n[Job j1: running. There is more: continue with offset 10.]',
    );
    expect(asked).toEqual([
      ['j1', {}],
      ['j1', { offset: 0 }],
    ]);
  });

  it('report that there is no such job', async () => {
    expect(await call(jobOutputTool(control(), 'd'), { job_id: 'x' })).toBe(
      "error: Error: there is no job 'x'. No jobs were started.",
    );
  });

  it('stop a job', async () => {
    expect(await call(stopJobTool(control(), 'd'), { job_id: 'j1' })).toBe(
      'success: j1 stopped, and so did every process that it started.',
    );
  });

  it('are offered only if commands can run in the background', () => {
    const names = (jobs: boolean, tools?: ('read_file' | 'execute')[]) =>
      createFilesystemMiddleware({ backend: backendWith(jobs), ...(tools ? { tools } : {}) }).tools?.map(
        ({ name }) => String(name),
      );
    const three = ['list_jobs', 'job_output', 'stop_job'];
    expect(names(true)?.slice(-3)).toEqual(three);
    expect(names(false)?.filter((name) => three.includes(name))).toEqual([]);
    expect(names(true, ['read_file'])).toEqual(['read_file']);
    expect(names(true, ['read_file', 'execute'])).toEqual(['read_file', 'execute', ...three]);
  });
});

describe('execute in the background', () => {
  it('answers with the job, the place of its output and what it printed so far', async () => {
    expect(await call(executeTool(backendWith(true), 'd'), { command: 'serve', background: true })).toBe(
      'success: Started as job j1. All output is saved in /o/c.log. Check it with job_output and stop it with stop_job. It stops when the app closes.\nOutput so far:\nlistening',
    );
  });

  it('reports a command that exits right away', async () => {
    const backend = backendWith(true);
    backend.execute = async (_command: string, options?: ExecuteOptions) => {
      expect(options).toMatchObject({ background: true, timeoutMs: 9_000 });
      return { output: 'no such port\n\nExit code: 3', exitCode: 3, truncated: false };
    };
    const args = { command: 'serve', background: true, timeout: 9 };
    expect(await call(executeTool(backend, 'd'), args)).toBe(
      'error: no such port\n[The job exited immediately with code 3]',
    );
  });

  it('is not offered without jobs', () => {
    const has = (jobs: boolean) => 'background' in propertiesOf(executeTool(backendWith(jobs), 'd').schema);
    expect([has(true), has(false)]).toEqual([true, false]);
  });
});

const propertiesOf = (schema: unknown): object =>
  schema !== null && typeof schema === 'object' && 'shape' in schema && schema.shape instanceof Object
    ? schema.shape
    : {};
