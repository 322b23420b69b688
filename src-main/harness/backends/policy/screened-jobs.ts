import type { JobControl, JobInfo } from '../commands';
import { failure } from '../failure';

/** Only the jobs whose command is allowed. The others do not exist for the caller. */
export function screenedJobs(
  jobs: JobControl,
  isAllowed: (command: string) => Promise<boolean> | boolean,
): JobControl {
  const list = async (): Promise<JobInfo[]> => {
    const all = await jobs.list();
    const allowed = await Promise.all(all.map(({ command }) => isAllowed(command)));
    return all.filter((_, index) => allowed[index]);
  };
  /** Looks the job up instead of in the list: a control may accept other forms of an id. Its error may name all jobs. */
  const unlessHidden = async <T>(id: string, work: () => Promise<T>) => {
    const { job, kind } = await jobs.output(id, { limit: 1 });
    const isHidden = job === undefined ? kind === 'not_found' : !(await isAllowed(job.command));
    if (!isHidden) return work();
    const known = (await list()).map((job) => job.id).join(', ');
    return failure(
      'not_found',
      `Error: there is no job '${id}'. ${known === '' ? 'No jobs were started.' : `Jobs: ${known}.`}`,
    );
  };
  return {
    list,
    output: (id, page) => unlessHidden(id, () => jobs.output(id, page)),
    stop: (id) => unlessHidden(id, () => jobs.stop(id)),
  };
}
