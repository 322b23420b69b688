import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Output } from '../../contract/commands';
import type { ApprovalMode } from '../../contract/control';
import { setUp } from '../testing/window';

it('lists the calls that another mode would auto-approve, and runs none', async () => {
  const t = await setUp();
  const write = (name: string) => ({
    tool: 'write_file',
    args: { file_path: join(t.folder, name), content: 'x' },
  });
  const ask = (mode: ApprovalMode): Promise<Output<'approval.wouldRun'>> =>
    t.window.must('approval.wouldRun', {
      projectId: t.projectId,
      mode,
      calls: [write('a.txt'), write('.env'), { tool: 'launch_missiles', args: {} }],
    });
  expect(await ask('auto-sandbox')).toEqual({ runs: [true, false, false] });
  expect(await ask('ask-risky')).toEqual({ runs: [false, false, false] });
  // The project keeps its mode, and nothing was written.
  expect(readdirSync(t.folder)).not.toContain('a.txt');
  const project = t.host.projects.get(t.projectId);
  expect(project.ok && (project.value.mode ?? 'ask-risky')).toBe('ask-risky');
});
