import { judgeCommand } from '../../approvals/command';
import { forbiddenBy, letsRun } from '../../approvals/rules';
import type { Project } from '../../contract/app';
import type { CommandVerdict } from '../../contract/control';
import { ruleText } from '../../contract/rule-text';
import { because } from '../../contract/shared/reasons';
import { TOOLS } from '../../harness/tools/catalogue';
import type { Files } from '../project/files/files';
import { placesOf } from '../project/mounts';
import { type GateParts, gateOfCalls, rulesFor, shellPlaces } from './call-gate';

/** What would happen to a command in a project now; runs nothing. */
export async function tryCommand(
  parts: GateParts & { files: Files },
  project: Project,
  command: string,
  signal: AbortSignal,
): Promise<CommandVerdict> {
  await parts.sandboxes.ready;
  const mode = project.mode ?? 'ask-risky';
  const places = shellPlaces(project, parts);
  const rules = rulesFor(parts.storage, project.id, null);
  const judged = await judgeCommand({ command }, places, rules);
  const call = { callId: '', tool: TOOLS.execute.name, args: { command } };
  const about = { parts: judged.parts, paths: [], places: placesOf(project, () => []) };
  const forbidden = judged.verdict === 'deny' ? undefined : forbiddenBy(call, rules, about);
  const shown = judged.parts.map(({ text, verdict, reason, risk, ...part }) => {
    const rule =
      places === null ? undefined : letsRun(rules, { text, verdict, reason, risk, ...part }, places.folder);
    return { text, verdict, reason, risk, ...(rule === undefined ? {} : { rule: ruleText(rule.match) }) };
  });
  const told = { risk: judged.risk, parts: shown, mode };
  if (forbidden !== undefined)
    return { ...told, verdict: 'deny', reason: [because('a_rule_forbids')], rules: [forbidden] };
  if (judged.verdict === 'deny') return { ...told, verdict: 'deny', reason: judged.reason, rules: [] };
  // The mode decides last: this is the gate of a thread in this project.
  const gate = gateOfCalls(parts, {
    project,
    threadId: null,
    backend: await parts.files.backend(project, null),
    guard: null,
    mcpTools: [],
  });
  const verdict = await gate.judge(call, signal);
  const isByRule = verdict.verdict === 'allow' && verdict.ruleId !== undefined;
  return {
    ...told,
    verdict: verdict.verdict,
    reason: isByRule
      ? [because('your_rules_allow')]
      : verdict.verdict === 'ask'
        ? verdict.question.reason
        : verdict.reason,
    rules: isByRule ? judged.rules : [],
    ...(verdict.verdict === 'allow' && verdict.confined !== undefined ? { confined: true as const } : {}),
  };
}
