import type { Output } from '../../contract/commands';
import type { ApprovalMode } from '../../contract/control';
import type { ProjectId } from '../../contract/ids';
import { ok, type Result } from '../../contract/result';
import { gateOfCalls } from './call-gate';
import type { RuleParts } from './rules-and-modes';

interface Asked {
  projectId: ProjectId;
  mode: ApprovalMode;
  calls: readonly { tool: string; args: Record<string, unknown> }[];
}

/** The calls that a mode would auto-approve in a project; runs nothing. */
export async function wouldRun(
  parts: RuleParts,
  { projectId, mode, calls }: Asked,
  signal: AbortSignal,
): Promise<Result<Output<'approval.wouldRun'>>> {
  const project = parts.projects.get(projectId);
  if (!project.ok) return project;
  await parts.sandboxes.ready;
  const gate = gateOfCalls(parts, {
    project: project.value,
    threadId: null,
    backend: await parts.files.backend(project.value, null),
    guard: null,
    mcpTools: [],
    mode,
  });
  const runs: boolean[] = [];
  for (const call of calls) {
    const { verdict } = await gate.judge({ callId: '', ...call }, signal);
    runs.push(verdict === 'allow');
  }
  return ok({ runs });
}
