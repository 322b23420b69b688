import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../process.mjs';

const folder = join(root, '.github', 'workflows');

const Workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      'runs-on': z.string(),
      'timeout-minutes': z.number().max(90),
      strategy: z.object({ matrix: z.record(z.string(), z.array(z.unknown())) }).optional(),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});

/** What a workflow may not do, as sentences. */
function problems(text: string): string[] {
  // The validator's schema is older than this right.
  const { errors } = validateWorkflow(text.replace(/^ +attestations: write\n/m, ''));
  if (errors.length > 0) return errors.map((error) => `${error.title}: ${error.detail ?? ''}`);
  const { permissions, jobs } = Workflow.parse(parse(text));
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const found: string[] = [];
  if (Object.values(permissions).some((right) => right !== 'read')) found.push('every job may write');
  for (const [, action = ''] of text.matchAll(/uses: (.+)$/gm))
    if (!/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))
      found.push(`no hash and version: ${action}`);
  for (const [name, job] of Object.entries(jobs)) {
    const systems = [job['runs-on'], ...Object.values(job.strategy?.matrix ?? {}).flat()];
    if (systems.some((system) => /-latest$/.test(String(system))))
      found.push(`${name} runs on a moving system`);
    for (const { run = '' } of job.steps) {
      // Text that others write would become part of the script.
      if (run.includes('${{')) found.push(`${name} puts an expression into a script: ${run}`);
      // Its own path wins over a kept one, so another Node.js would run.
      if (/sudo .*--preserve-env.*PATH/.test(run))
        found.push(`${name} keeps PATH in a way that sudo ignores`);
      for (const [, script = ''] of run.matchAll(/npm run ([\w:]+)/g))
        if (!(script in scripts)) found.push(`${name} runs ${script}, which package.json does not have`);
    }
  }
  return found;
}

describe('the workflows', () => {
  it.each(readdirSync(folder))('%s is valid, pins its actions, and runs what exists', (name) => {
    expect(problems(readFileSync(join(folder, name), 'utf8'))).toEqual([]);
  });

  const job = (more: string) =>
    `on: push\npermissions:\n  contents: read\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 5\n    steps:\n${more}`;
  it.each([
    ['an unknown key', `${job('      - run: ls\n')}    step: 1\n`, /./],
    ['an action by tag', job('      - uses: actions/checkout@v4\n'), /no hash/],
    ['a path that sudo ignores', job('      - run: sudo --preserve-env=PATH ls\n'), /sudo ignores/],
    ['untrusted text in a script', job(`      - run: echo \${{ github.head_ref }}\n`), /expression/],
    ['a missing script', job('      - run: npm run nothing\n'), /does not have/],
    ['a moving system', job('      - run: ls\n').replace('24.04', 'latest'), /moving/],
    ['rights for every job', job('      - run: ls\n').replace('read', 'write'), /may write/],
  ])('are refused with %s', (_name, text, problem) => {
    expect(problems(text)).toEqual([expect.stringMatching(problem)]);
  });
});
