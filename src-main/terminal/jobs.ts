import type { TerminalInfo } from '../contract/app';
import type { ThreadId } from '../contract/ids';
import type { JobControl, JobInfo, JobPage } from '../harness';
import { plainText } from './output/plain-text';
import type { TerminalSessions } from './sessions';

/** UTF-16 units of one page of raw terminal output. */
const PAGE_UNITS = 20_000;

/** The id of a job: long enough to be unique, short enough for a model to copy. */
export const jobIdOf = ({ id }: Pick<TerminalInfo, 'id'>) => id.slice(0, 8);

/** The jobs of one thread: the terminals in which its background commands run or ran, including those of earlier runs. */
export function createJobControl(sessions: TerminalSessions, threadId: ThreadId): JobControl {
  const all = () => sessions.list().filter((info) => info.background === true && info.threadId === threadId);
  const find = (id: string) => all().find((info) => jobIdOf(info) === id || info.id === id);
  const unknown = (id: string) => {
    const known = all().map(jobIdOf).join(', ');
    const error = `Error: there is no job '${id}'. ${known === '' ? 'No jobs were started.' : `Jobs: ${known}.`}`;
    return { error, kind: 'not_found' as const };
  };

  return {
    list: async () => all().map(toJob),
    output: async (id, { offset, limit = PAGE_UNITS } = {}) => {
      const info = find(id);
      const recorded = info && sessions.recorded(info.id);
      if (!info || !recorded?.ok) return unknown(id);
      return { job: toJob(info), ...pageOf(recorded.value, offset, Math.max(1, limit)) };
    },
    stop: async (id) => {
      const info = find(id);
      if (!info) return unknown(id);
      await sessions.kill(info.id);
      return { job: toJob(find(id) ?? info) };
    },
  };
}

/** The page from `offset` on, or the end of the output without an offset. Starts and ends with whole lines if possible. */
function pageOf(
  recorded: { offset: number; data: string },
  offset: number | undefined,
  limit: number,
): Omit<JobPage, 'job'> {
  const { data } = recorded;
  const end = recorded.offset + data.length;
  const wanted = offset ?? Math.max(0, end - limit);
  const from = Math.min(Math.max(wanted, recorded.offset), end);
  let text = data.slice(from - recorded.offset, from - recorded.offset + limit);
  let start = from;
  if (offset === undefined && start > 0) {
    const lineEnd = text.indexOf('\n');
    if (lineEnd >= 0 && lineEnd < text.length - 1) {
      start += lineEnd + 1;
      text = text.slice(lineEnd + 1);
    }
  }
  if (start + text.length < end) {
    const lineEnd = text.lastIndexOf('\n');
    if (lineEnd >= 0) text = text.slice(0, lineEnd + 1);
  }
  return { text: plainText(text), offset: start, nextOffset: start + text.length, end };
}

function toJob(info: TerminalInfo): JobInfo {
  const { command, cwd, status, exitCode, startedAt, endedAt } = info;
  return { id: jobIdOf(info), command, cwd, status, exitCode, startedAt, endedAt };
}
