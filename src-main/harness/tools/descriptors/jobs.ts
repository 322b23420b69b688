import type { ToolDescriptor } from '../descriptor';

export const listJobs = {
  name: 'list_jobs',
  effect: 'reads',
  display: 'jobs',
  offloadsResult: true,
} as const satisfies ToolDescriptor;

export const jobOutput = {
  name: 'job_output',
  effect: 'reads',
  display: 'job-output',
  arguments: { numbers: ['offset'], nullable: ['offset'] },
  offloadsResult: false,
} as const satisfies ToolDescriptor;

/** It only stops jobs that the person allowed to start. */
export const stopJob = {
  name: 'stop_job',
  effect: 'thread',
  display: 'stop-job',
  offloadsResult: true,
} as const satisfies ToolDescriptor;
