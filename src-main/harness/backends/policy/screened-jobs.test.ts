import { expect, it } from 'vitest';
import type { JobControl, JobInfo } from '../commands';
import { StateBackend } from '../state';
import { PolicyBackend } from './policy';

const job = (id: string, command: string): JobInfo => ({
  id,
  command,
  cwd: '/',
  status: 'running',
  exitCode: null,
  startedAt: 1,
  endedAt: null,
});

it('shows and stops only jobs whose command the rules allow', async () => {
  const all = [job('j1', 'serve'), job('j2', 'tail -f /secrets/log')];
  const stopped: string[] = [];
  const found = (id: string) => all.find((one) => one.id === id);
  const unknown = { error: 'Error: there is no such job. Jobs: j1, j2.', kind: 'not_found' as const };
  const jobs: JobControl = {
    list: async () => all,
    output: async (id) => {
      const known = found(id);
      return known === undefined
        ? unknown
        : { job: known, text: `out of ${id}`, offset: 0, nextOffset: 1, end: 1 };
    },
    stop: async (id) => {
      const known = found(id);
      if (known === undefined) return unknown;
      stopped.push(id);
      return { job: known };
    },
  };
  const files = new StateBackend({ files: { read: () => ({}), send: () => undefined } });
  const shell = Object.assign(Object.create(files) as StateBackend, {
    id: 'shell',
    jobs,
    execute: async () => ({ output: '', exitCode: 0, truncated: false }),
  });
  const seen = new PolicyBackend(shell, { denyPrefixes: ['/secrets'], execute: 'inspect' }).jobs;
  expect(await seen?.list()).toEqual([all[0]]);
  expect(await seen?.output('j1', { limit: 10 })).toMatchObject({ text: 'out of j1' });
  const hidden = (id: string) => ({
    error: `Error: there is no job '${id}'. Jobs: j1.`,
    kind: 'not_found',
  });
  for (const id of ['j2', 'none']) {
    expect(await seen?.output(id)).toEqual(hidden(id));
    expect(await seen?.stop(id)).toEqual(hidden(id));
  }
  expect(await seen?.stop('j1')).toEqual({ job: all[0] });
  expect(stopped).toEqual(['j1']);
  expect(await new PolicyBackend(shell, { execute: 'deny' }).jobs?.output('j1')).toEqual({
    error: "Error: there is no job 'j1'. No jobs were started.",
    kind: 'not_found',
  });
});
