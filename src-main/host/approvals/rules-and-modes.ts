import { randomUUID } from 'node:crypto';
import { likelyProgram, withPrograms } from '../../approvals/bash/paths/programs';
import { previewRule, toolsOf } from '../../approvals/rule-preview';
import { whyRefused } from '../../approvals/rule-refusal';
import { suggestRules } from '../../approvals/rule-suggestions';
import type { Project } from '../../contract/app';
import type { Output } from '../../contract/commands';
import type { ApprovalMode, Rule, RuleDraft, RulePreview } from '../../contract/control';
import type { ApprovalId, ProjectId, ThreadId } from '../../contract/ids';
import { isLooser } from '../../contract/modes';
import { fail, ok, type Result } from '../../contract/result';
import { because } from '../../contract/shared/reasons';
import { setNewest } from '../../contract/shared/set-newest';
import { BUILT_IN_NAMES } from '../../harness/tools/catalogue';
import type { McpServers } from '../../mcp/servers';
import type { Storage } from '../../storage';
import type { PastCall } from '../../storage/rules';
import type { Places } from '../places/places';
import type { Sandboxes } from '../project/access/sandboxes';
import type { SecretService } from '../project/access/secrets';
import type { Files } from '../project/files/files';
import type { ProjectRegistry } from '../project/projects';
import { boundToServer } from '../settings/mcp';
import type { OpenThreads } from '../threads/live-threads';
import { type Confirmations, needsConfirmation } from '../window/confirmations';
import type { Hub } from '../window/hub';
import { gateOfCalls, shellPlaces } from './call-gate';

/** Past calls that a rule is measured against. */
const PAST_CALLS = 2_000;
/** Maximum number of revoked rules that can be restored. */
const MAX_REMOVED = 50;

export interface RuleParts {
  storage: Storage;
  hub: Hub;
  projects: ProjectRegistry;
  files: Files;
  turns: OpenThreads;
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  sandboxes: Sandboxes;
  places: Places;
  secrets: SecretService;
  mcp: McpServers;
  confirmations: Confirmations;
}

/** The person's rules: suggestions, previews, saving and revoking. */
export class Rules {
  /** Revoked rules, restored with the same id so that the calls they allowed still name them. */
  private readonly removed = new Map<string, Rule>();

  constructor(private readonly parts: RuleParts) {}

  /** Possible matches for a rule about a pending call. Errors: `not_found`. */
  async suggest(threadId: ThreadId, approvalId: ApprovalId): Promise<Result<Output<'rules.suggest'>>> {
    const found = waiting(this.parts, threadId, approvalId);
    if (!found.ok) return found;
    const { approval, project } = found.value;
    const places = rulePlaces(project, this.parts);
    return ok(
      places === null
        ? { matches: [], refused: because('rule_no_shell') }
        : await withPrograms(places, [], (known) => suggestRules(approval, known)),
    );
  }

  /** What saving the rule would change. Errors: `not_found`, `unsupported`. */
  async preview(draft: RuleDraft): Promise<Result<RulePreview>> {
    const project = this.projectOf(draft);
    if (!project.ok) return project;
    const places = rulePlaces(project.value, this.parts);
    if (places === null) return fail('unsupported', 'rule_refused', { reason: [because('rule_no_shell')] });
    const { scope } = draft;
    const within = scope.kind === 'person' ? null : { projectId: project.value.id };
    const past = this.pastCalls(toolsOf(draft.match), within);
    // The same few programs appear thousands of times.
    const likely = past.flatMap(({ args }) => likelyProgram(String(args.command ?? '')));
    return ok(await withPrograms(places, likely, (known) => previewRule(draft, past, known)));
  }

  /** Errors: `denied` for an impossible rule, `not_found` if the rule to replace was removed, and those of the confirmation. */
  async save(draft: RuleDraft, replaces: string | undefined): Promise<Result<Rule>> {
    const { storage, confirmations } = this.parts;
    const why = whyRefused(draft);
    if (why !== null) return fail('denied', 'rule_refused', { reason: [why] });
    const isGone = () => replaces !== undefined && storage.rules.get(replaces) === null;
    if (isGone()) return fail('not_found', 'rule_gone');
    const project = this.projectOf(draft);
    if (!project.ok && draft.scope.kind !== 'person') return project;
    // Bind it before the dialog: the person confirms the server that exists when it opens.
    const bound = project.ok ? await this.bound(draft, project.value) : draft;
    if (needsConfirmation(draft)) {
      const place = project.ok ? project.value.name : '';
      const confirmed = await confirmations.rule(draft, place);
      if (!confirmed.ok) return confirmed;
    }
    // A rule that was revoked during the dialog must not come back by an edit.
    if (isGone()) return fail('not_found', 'rule_gone');
    const rule: Rule = { ...bound, id: randomUUID(), createdAt: Date.now() };
    storage.transaction(() => {
      if (replaces !== undefined) storage.rules.remove(replaces);
      storage.rules.save(rule);
    });
    this.changed();
    return ok(rule);
  }

  remove(id: string): Result<Record<string, never>> {
    const { rules } = this.parts.storage;
    const rule = rules.get(id);
    if (!rules.remove(id)) return fail('not_found', 'rule_gone');
    if (rule !== null) setNewest(this.removed, id, rule, MAX_REMOVED);
    this.changed();
    return ok({});
  }

  restore(id: string): Result<Record<string, never>> {
    const rule = this.removed.get(id);
    if (rule === undefined) return fail('not_found', 'rule_gone');
    this.removed.delete(id);
    this.parts.storage.rules.save(rule);
    this.changed();
    return ok({});
  }

  /** Binds to the server that currently offers the tool; the draft's claim is not trusted. */
  private async bound(draft: RuleDraft, project: Project): Promise<RuleDraft> {
    if (draft.match.kind !== 'tool') return draft;
    const tools =
      draft.effect === 'allow' ? this.parts.mcp.toolsFor(project, new AbortController().signal) : [];
    return boundToServer(draft, await tools);
  }

  private changed(): void {
    const { hub, storage } = this.parts;
    hub.app({ type: 'rules.changed', rules: storage.rules.list() });
  }

  /** The project of a draft; for a personal rule the last opened one, to measure paths against. */
  private projectOf({ scope }: RuleDraft): Result<Project> {
    const { projects, turns, storage } = this.parts;
    if (scope.kind === 'project') return projects.get(scope.projectId);
    if (scope.kind === 'thread') {
      const live = turns.thread(scope.threadId);
      return live.ok ? projects.get(live.value.state.thread.projectId) : live;
    }
    const [latest] = storage.projects.list();
    return latest === undefined ? fail('not_found', 'no_project_open') : ok(latest);
  }

  /** Calls in stored conversations, and those that only the activity still has, each once. */
  private pastCalls(tools: readonly string[], within: { projectId: ProjectId } | null): PastCall[] {
    const { storage } = this.parts;
    const told = storage.rules.pastCalls(tools, within, PAST_CALLS);
    const known = new Set(told.map(({ threadId, callId }) => `${threadId}\n${callId}`));
    const kept = storage.activity.pastCalls(tools, within, PAST_CALLS);
    const more = kept.filter(({ threadId, callId }) => !known.has(`${threadId}\n${callId}`));
    return [...told, ...more].slice(0, PAST_CALLS);
  }
}

/** The pending call and its project. Errors: `not_found`. */
function waiting(
  { turns, projects }: Pick<RuleParts, 'turns' | 'projects'>,
  threadId: ThreadId,
  approvalId: ApprovalId,
) {
  const live = turns.thread(threadId);
  if (!live.ok) return live;
  const approval = live.value.state.approvals.find((open) => open.id === approvalId);
  if (approval === undefined) return fail('not_found', 'call_not_pending');
  const project = projects.get(live.value.state.thread.projectId);
  return project.ok ? ok({ approval, project: project.value }) : project;
}

/**
 * Sets the approval mode of a project. Errors: `unsupported` without a sandbox, `conflict` if the mode is looser and
 * `loosen` is not set.
 */
export async function setMode(
  { projects, sandboxes, confirmations }: Pick<RuleParts, 'projects' | 'sandboxes' | 'confirmations'>,
  projectId: ProjectId,
  mode: ApprovalMode,
  loosen: boolean,
): Promise<Result<Record<string, never>>> {
  const project = projects.get(projectId);
  if (!project.ok) return project;
  if (mode === 'auto-sandbox') {
    await sandboxes.ready;
    const { available, reason } = sandboxes.confinementOf(projectId);
    if (!available)
      return fail('unsupported', 'sandbox_unavailable', { reason: reason === null ? [] : [reason] });
  }
  if (isLooser(mode, project.value.mode ?? 'ask-risky') && !loosen)
    return fail('conflict', 'mode_needs_confirmation');
  if (isLooser(mode, project.value.mode ?? 'ask-risky')) {
    const confirmed = await confirmations.mode(project.value, mode);
    if (!confirmed.ok) return confirmed;
  }
  // It may have changed while the dialog was open.
  const now = projects.listed(projectId);
  if (!now.ok) return now;
  projects.change({ ...now.value, mode });
  return ok({});
}

/** What a pending call would do with other arguments, judged as if the agent had sent them. */
export async function checkEdited(
  parts: RuleParts,
  call: { threadId: ThreadId; approvalId: ApprovalId; args: Record<string, unknown> },
  signal: AbortSignal,
): Promise<Result<Output<'approval.check'>>> {
  const { threadId, approvalId, args } = call;
  const found = waiting(parts, threadId, approvalId);
  if (!found.ok) return found;
  const { approval, project } = found.value;
  await parts.sandboxes.ready;
  const backend = await parts.files.backend(project, threadId);
  const gate = gateOfCalls(parts, {
    project,
    threadId,
    backend,
    guard: parts.secrets.guardOf(threadId, backend),
    mcpTools: BUILT_IN_NAMES.has(approval.tool) ? [] : await parts.mcp.toolsFor(project, signal),
  });
  const verdict = await gate.judge({ callId: approval.callId, tool: approval.tool, args }, signal);
  if (verdict.verdict !== 'ask')
    return ok({ verdict: verdict.verdict, reason: verdict.reason, risk: 'low', preview: null });
  const { reason, risk, preview } = verdict.question;
  return ok({ verdict: 'ask', reason, risk, preview });
}

/** What the patterns of rules are relative to. */
function rulePlaces(project: Project, parts: RuleParts) {
  const places = shellPlaces(project, parts);
  return places === null || project.remote === undefined ? places : { ...places, folder: project.mount };
}
