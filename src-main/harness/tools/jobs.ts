import { z } from 'zod';
import type { JobControl, JobInfo } from '../backends/commands';
import { defineTool, failure, success } from './define-tool';
import { execute } from './descriptors/execute';
import { jobOutput, listJobs, stopJob } from './descriptors/jobs';

const JobId = z.string().describe(`Job id from ${execute.name} or ${listJobs.name}`);

const NoInput = z.object({});
const JobInput = z.object({ job_id: JobId });
const OutputInput = z.object({
  job_id: JobId,
  offset: z.coerce
    .number()
    .int()
    .nonnegative()
    .nullable()
    .default(null)
    .describe('Offset to continue from, as given in the previous result; default: the end of the output'),
});

export const listJobsTool = (jobs: JobControl, description: string) =>
  defineTool({
    name: listJobs.name,
    description,
    schema: NoInput,
    run: async () => {
      const all = await jobs.list();
      return success(all.length === 0 ? 'No jobs were started.' : all.map(line).join('\n'));
    },
  });

export const jobOutputTool = (jobs: JobControl, description: string) =>
  defineTool({
    name: jobOutput.name,
    description,
    schema: OutputInput,
    run: async ({ job_id, offset }) => {
      const page = await jobs.output(job_id, offset === null ? {} : { offset });
      if (page.error !== undefined || page.job === undefined) return failure(page.error ?? 'No such job.');
      const { job, text = '', nextOffset = 0, end = 0, offset: from = 0 } = page;
      const missing = from > (offset ?? from) ? '[Earlier output is no longer available here.]\n' : '';
      const shown = text === '' ? '<no new output>' : text.trimEnd();
      const more =
        nextOffset < end
          ? `There is more: continue with offset ${nextOffset}.`
          : `Continue with offset ${nextOffset}.`;
      return success(`${missing}${shown}\n[Job ${job.id}: ${state(job)}. ${more}]`);
    },
  });

export const stopJobTool = (jobs: JobControl, description: string) =>
  defineTool({
    name: stopJob.name,
    description,
    schema: JobInput,
    run: async ({ job_id }) => {
      const { error, job } = await jobs.stop(job_id);
      if (error !== undefined || job === undefined) return failure(error ?? 'No such job.');
      return success(`${job.id} ${state(job)}, and so did every process that it started.`);
    },
  });

const line = (job: JobInfo) => `${job.id}  ${state(job)}  ${firstLine(job.command)}`;

function state({ status, exitCode }: JobInfo): string {
  switch (status) {
    case 'running':
      return 'running';
    case 'exited':
      return `exited with code ${exitCode ?? 'unknown'}`;
    case 'timed_out':
      return 'stopped: timed out';
    case 'stopped':
      return 'stopped';
    case 'lost':
      return 'stopped when the app closed';
    default:
      return status satisfies never;
  }
}

function firstLine(command: string): string {
  const [first = ''] = command.trim().split('\n');
  return first.length > 120 || first !== command.trim() ? `${first.slice(0, 120)} …` : first;
}
