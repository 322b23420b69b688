import { randomUUID } from 'node:crypto';
import { likelyProgram, withPrograms } from '../../approvals/bash/programs';
import { judgeCommand } from '../../approvals/command';
import { previewRule, toolsOf } from '../../approvals/rule-preview';
import { whyRefused } from '../../approvals/rule-refusal';
import { suggestRules } from '../../approvals/rule-suggestions';
import { forbiddenBy, letsRun } from '../../approvals/rules';
import type { Project } from '../../contract/app';
import type { Rule, RuleDraft } from '../../contract/control';
import type { ProjectId, ThreadId } from '../../contract/ids';
import { isLooser } from '../../contract/modes';
import { fail, ok, type Result } from '../../contract/result';
import type { Handlers } from '../../contract/rpc';
import { ruleText } from '../../contract/rule-text';
import type { McpServers } from '../../mcp/servers';
import type { Storage } from '../../storage';
import type { PastCall } from '../../storage/rules';
import type { Files } from '../project/files';
import { placesOf } from '../project/mounts';
import type { ProjectRegistry } from '../project/projects';
import type { Sandboxes } from '../project/sandboxes';
import type { SecretService } from '../project/secrets';
import { isOwnTool } from '../settings/mcp';
import type { Turns } from '../turns/turns';
import { type Confirmations, needsConfirmation } from '../window/confirmations';
import type { Connection } from '../window/connection';
import type { Hub } from '../window/hub';
import { gateOfCalls, rulesFor, shellPlaces } from './call-gate';

/** Earlier calls that a rule is measured against. */
const PAST_CALLS = 2_000;
/** Revoked rules that can be brought back. */
const MOST_REMOVED = 50;

interface ControlParts {
  storage: Storage;
  hub: Hub;
  projects: ProjectRegistry;
  files: Files;
  turns: Turns;
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  sandboxes: Sandboxes;
  secrets: SecretService;
  mcp: McpServers;
  confirmations: Confirmations;
}

type ControlCommand =
  | Extract<keyof Handlers<Connection>, `rules.${string}`>
  | 'project.setMode'
  | 'approval.check';

/** What the commands about modes and rules do. */
export function controlHandlers(parts: ControlParts): Pick<Handlers<Connection>, ControlCommand> {
  const { storage, hub, projects, turns } = parts;
  /** What was revoked last: brought back as it was, so that what it let run still names it. */
  const removed = new Map<string, Rule>();
  const NO_SHELL = 'Commands of this system’s shell are not read, so there are no rules for them.';

  const changed = () => hub.app({ type: 'rules.changed', rules: storage.rules.list() });
  const waiting = (threadId: ThreadId, approvalId: string) => {
    const live = turns.thread(threadId);
    if (!live.ok) return live;
    const approval = live.value.state.approvals.find((open) => open.id === approvalId);
    if (approval === undefined) return fail('not_found', 'This call no longer waits for a decision.');
    const project = projects.get(live.value.state.thread.projectId);
    return project.ok ? ok({ approval, project: project.value }) : project;
  };
  /** The project that a draft is about; for one of the person's, the one opened last, to measure paths against. */
  const projectOf = ({ scope }: RuleDraft): Result<Project> => {
    if (scope.kind === 'project') return projects.get(scope.projectId);
    if (scope.kind === 'thread') {
      const live = turns.thread(scope.threadId);
      return live.ok ? projects.get(live.value.state.thread.projectId) : live;
    }
    const [latest] = storage.projects.list();
    return latest === undefined ? fail('not_found', 'Open a project first.') : ok(latest);
  };

  /** What is still said in conversations, and what the activity keeps beyond that, each call once. */
  const pastCalls = (tools: readonly string[], within: { projectId: ProjectId } | null): PastCall[] => {
    const told = storage.rules.pastCalls(tools, within, PAST_CALLS);
    const known = new Set(told.map(({ threadId, callId }) => `${threadId}\n${callId}`));
    const kept = storage.activity.pastCalls(tools, within, PAST_CALLS);
    const more = kept.filter(({ threadId, callId }) => !known.has(`${threadId}\n${callId}`));
    return [...told, ...more].slice(0, PAST_CALLS);
  };

  return {
    'project.setMode': async ({ projectId, mode, loosen = false }) => {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      if (mode === 'auto-sandbox') {
        await parts.sandboxes.ready;
        const { available, reason } = parts.sandboxes.confinementOf(projectId);
        if (!available) return fail('unsupported', `There is no sandbox here. ${reason ?? ''}`.trim());
      }
      if (isLooser(mode, project.value.mode ?? 'ask-risky') && !loosen)
        return fail('conflict', 'This mode asks less than the one that is set. Confirm it first.');
      if (isLooser(mode, project.value.mode ?? 'ask-risky')) {
        const confirmed = await parts.confirmations.mode(project.value, mode);
        if (!confirmed.ok) return confirmed;
      }
      // It may have been changed while the dialog was open.
      const now = projects.get(projectId);
      if (!now.ok) return now;
      projects.change({ ...now.value, mode });
      return ok({});
    },
    'rules.suggest': async ({ threadId, approvalId }) => {
      const found = waiting(threadId, approvalId);
      if (!found.ok) return found;
      const places = shellPlaces(found.value.project, parts);
      const { approval } = found.value;
      return ok(
        places === null
          ? { matches: [], refused: NO_SHELL }
          : await withPrograms(places, [], (known) => suggestRules(approval, known)),
      );
    },
    'rules.preview': async (draft) => {
      const project = projectOf(draft);
      if (!project.ok) return project;
      const places = shellPlaces(project.value, parts);
      if (places === null) return fail('unsupported', NO_SHELL);
      const { scope } = draft;
      const within = scope.kind === 'person' ? null : { projectId: project.value.id };
      const past = pastCalls(toolsOf(draft.match), within);
      // The same few programs, thousands of times.
      const likely = past.flatMap(({ args }) => likelyProgram(String(args.command ?? '')));
      return ok(await withPrograms(places, likely, (known) => previewRule(draft, past, known)));
    },
    'rules.save': async ({ draft, replaces }) => {
      const why = whyRefused(draft);
      if (why !== null) return fail('denied', why);
      const project = projectOf(draft);
      if (!project.ok && draft.scope.kind !== 'person') return project;
      if (needsConfirmation(draft)) {
        const place = project.ok ? project.value.name : '';
        const confirmed = await parts.confirmations.rule(draft, place);
        if (!confirmed.ok) return confirmed;
      }
      const rule: Rule = { ...draft, id: randomUUID(), createdAt: Date.now() };
      storage.transaction(() => {
        if (replaces !== undefined) storage.rules.remove(replaces);
        storage.rules.save(rule);
      });
      changed();
      return ok(rule);
    },
    'rules.remove': ({ id }) => {
      const rule = storage.rules.get(id);
      if (!storage.rules.remove(id)) return fail('not_found', 'This rule is not there any more.');
      if (rule !== null) removed.set(id, rule);
      const [oldest] = removed.keys();
      if (removed.size > MOST_REMOVED && oldest !== undefined) removed.delete(oldest);
      changed();
      return ok({});
    },
    'rules.restore': ({ id }) => {
      const rule = removed.get(id);
      if (rule === undefined) return fail('not_found', 'This rule is not there any more.');
      removed.delete(id);
      storage.rules.save(rule);
      changed();
      return ok({});
    },
    'rules.test': async ({ projectId, command }, _connection, signal) => {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      await parts.sandboxes.ready;
      const mode = project.value.mode ?? 'ask-risky';
      const places = shellPlaces(project.value, parts);
      const rules = rulesFor(storage, projectId, null);
      const judged = await judgeCommand({ command }, places, rules);
      const call = { callId: '', tool: 'execute', args: { command } };
      const about = { parts: judged.parts, paths: [], places: placesOf(project.value) };
      const forbidden = judged.verdict === 'deny' ? undefined : forbiddenBy(call, rules, about);
      const shown = judged.parts.map(({ text, verdict, reason, risk, ...part }) => {
        const rule =
          places === null
            ? undefined
            : letsRun(rules, { text, verdict, reason, risk, ...part }, places.folder);
        return { text, verdict, reason, risk, ...(rule === undefined ? {} : { rule: ruleText(rule.match) }) };
      });
      const { risk } = judged;
      if (forbidden !== undefined)
        return ok({
          verdict: 'deny',
          reason: 'A rule forbids it.',
          risk,
          parts: shown,
          rules: [forbidden],
          mode,
        });
      if (judged.verdict === 'deny')
        return ok({ verdict: 'deny', reason: judged.reason, risk, parts: shown, rules: [], mode });
      // The mode has the last word: the gate that a thread of this project would have.
      const gate = gateOfCalls(parts, {
        project: project.value,
        threadId: null,
        backend: await parts.files.backend(project.value, null),
        guard: null,
        mcpTools: [],
      });
      const verdict = await gate.judge(call, signal);
      const isByRule = verdict.verdict === 'allow' && verdict.ruleId !== undefined;
      return ok({
        verdict: verdict.verdict,
        reason: isByRule
          ? 'Your rules let it run.'
          : verdict.verdict === 'ask'
            ? verdict.question.reason
            : verdict.reason,
        risk,
        parts: shown,
        rules: isByRule ? judged.rules : [],
        mode,
        ...(verdict.verdict === 'allow' && verdict.confined !== undefined ? { confined: true as const } : {}),
      });
    },
    'approval.check': async ({ threadId, approvalId, args }, _connection, signal) => {
      const found = waiting(threadId, approvalId);
      if (!found.ok) return found;
      const { approval, project } = found.value;
      await parts.sandboxes.ready;
      const backend = await parts.files.backend(project, threadId);
      const gate = gateOfCalls(parts, {
        project,
        threadId,
        backend,
        guard: parts.secrets.guardOf(threadId, backend),
        mcpTools: isOwnTool(approval.tool) ? [] : await parts.mcp.toolsFor(project, signal),
      });
      const verdict = await gate.judge({ callId: approval.callId, tool: approval.tool, args }, signal);
      if (verdict.verdict !== 'ask')
        return ok({ verdict: verdict.verdict, reason: verdict.reason, risk: 'low', preview: null });
      const { reason, risk, preview } = verdict.question;
      return ok({ verdict: 'ask', reason, risk, preview });
    },
  };
}
