import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalMode } from '../../../contract/control';
import type { ThreadState } from '../../../contract/conversation';
import type { Outcome } from '../../../contract/outcome';
import type { HostOptions } from '../../host-options';
import { inCopies } from '../../testing/copied-layers';
import { type Part, SlowModel } from '../../testing/slow-model';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost } from '../../testing/window';

export const execute = (command: string): Part => ({ name: 'execute', args: { command } });

export const isOver = (state: ThreadState) =>
  isWaiting(1)(state) || (isIdle(state) && state.messages.at(-1)?.role === 'agent');

export async function rehearsing(
  mode: ApprovalMode,
  script: Part[][],
  files: Record<string, string> = {},
  options: Pick<HostOptions, 'overtime' | 'namedFiles' | 'layers'> = {},
) {
  const more = { ...inCopies(), ...options };
  const t = await setUp(more);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(t.folder, path, '..'), { recursive: true });
    writeFileSync(join(t.folder, path), text);
  }
  if (mode !== 'ask-risky')
    await t.window.must('project.setMode', { projectId: t.projectId, mode, loosen: true });
  SlowModel.into(t.host, [...script, ['done']]);
  const text = (path: string) =>
    existsSync(join(t.folder, path)) ? readFileSync(join(t.folder, path), 'utf8') : null;
  const layers = join(t.dataDir, 'rehearsals/layers');
  const outcome = () => t.window.state?.approvals[0]?.outcome as Outcome;
  const restarted = async (meanwhile = () => {}) => {
    await t.host.close();
    meanwhile();
    t.host.close = async () => undefined;
    const host = await startHost(t.dataDir, t.reports, more);
    cleanups.push(() => host.close());
    SlowModel.into(host, [['done']]);
    const window = new FakeWindow(host);
    await window.open(t.threadId);
    return window;
  };
  return { ...t, text, layers, outcome, restarted };
}
