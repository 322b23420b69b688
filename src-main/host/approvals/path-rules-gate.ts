import { posix } from 'node:path';
import { pathsNamed } from '../../approvals/bash/changes/named-paths';
import type { PlacesOnDisk } from '../../approvals/bash/paths/places';
import { realPathOf } from '../../approvals/bash/paths/real-path';
import type { Confinement } from '../../approvals/confined';
import type { Gate } from '../../approvals/gate';
import { because, type Reasons } from '../../contract/shared/reasons';
import type { BackendProtocol } from '../../harness';
import { placesOfCall } from '../../harness/agent/path-rules';
import { deletesFile, runsCommand } from '../../harness/tools/catalogue';
import type { PathRules, PathVerdict } from '../project/access/path-rules';
import { gateByPaths, type PathVerdicts } from './permission-gate';

export interface PathRulesParts {
  backend: BackendProtocol;
  /** Read for each call. */
  rules: () => PathRules;
  confinement: () => Confinement;
  /** The place of a project on another machine, where its commands run; null for others. */
  home: string | null;
  shell: PlacesOnDisk | null;
}

/**
 * A gate with the person's rules about paths of the project. What they deny stays denied, whatever is approved or allowed,
 * and they ask in every mode. Commands that name a denied path are denied; the sandbox keeps the others from it.
 */
export const pathRulesGate = (gate: Gate, parts: PathRulesParts): Gate =>
  gateByPaths(gate, async (tool, args) => {
    const rules = parts.rules();
    if (!rules.restricts) return { mode: 'allow' };
    return runsCommand(tool) ? commandVerdict(args, rules, parts) : fileVerdict(tool, args, rules, parts);
  });

type Answer = Awaited<ReturnType<PathVerdicts>>;

async function fileVerdict(
  tool: string,
  args: Record<string, unknown>,
  rules: PathRules,
  { backend }: PathRulesParts,
): Promise<Answer> {
  const places = await placesOfCall(tool, args, backend);
  let asks: Answer = { mode: 'allow' };
  for (const path of places?.paths ?? []) {
    const operation = places?.operation ?? 'read';
    const isTree = places?.below === true;
    const deletes = deletesFile(tool) && (await backend.read(path, 0, 1)).error !== undefined;
    const own = rules.judge(operation, path);
    const verdict =
      own.mode === 'allow' && (isTree || deletes) ? rules.beforehand(operation, path, deletes) : own;
    if (verdict.mode === 'deny') return denied(path, verdict);
    if (verdict.mode === 'ask') asks = asked(verdict);
  }
  return asks;
}

async function commandVerdict(
  { command, place }: Record<string, unknown>,
  rules: PathRules,
  { shell, confinement, home }: PathRulesParts,
): Promise<Answer> {
  // The rules apply to the project's own machine.
  if (place !== undefined && place !== null && place !== home) return { mode: 'allow' };
  let asks: Answer = { mode: 'allow' };
  const named =
    shell === null || typeof command !== 'string' ? [] : pathsNamed(command, shell, { forVerdict: true });
  for (const path of named)
    for (const one of new Set([posix.resolve(path), (await realPathOf(path)) ?? path])) {
      const reading = rules.judge('read', one);
      if (reading.mode === 'deny') return denied(one, reading);
      const asking = [reading, rules.judge('write', one)].find(({ mode }) => mode === 'ask');
      if (asking !== undefined) asks = asked(asking);
    }
  const { available, reason } = confinement();
  if (asks.mode === 'ask' || available) return asks;
  const why = because('path_rules_need_sandbox', { why: reason ?? because('no_sandbox_found') });
  return { mode: 'ask', reason: [why], risk: 'medium' };
}

const denied = (path: string, { rule }: PathVerdict): Answer => ({
  mode: 'deny',
  path,
  reason: [because('denied_by_path_rule', { rule })],
});

const asked = ({ rule }: PathVerdict): Answer => ({
  mode: 'ask',
  reason: [because('asked_by_path_rule', { rule })] satisfies Reasons,
});
