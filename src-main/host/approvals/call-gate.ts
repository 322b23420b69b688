import { homedir } from 'node:os';
import type { PlacesOnDisk } from '../../approvals/bash/paths/places';
import { programFinder } from '../../approvals/bash/paths/programs';
import { sayingChanges } from '../../approvals/changed-since';
import { createGate, type Gate } from '../../approvals/gate';
import { unconfined } from '../../approvals/machines';
import { whyNotRehearsed } from '../../approvals/rehearsal';
import type { Project } from '../../contract/app';
import type { Approval } from '../../contract/approvals';
import type { ApprovalMode, Rule } from '../../contract/control';
import { reasonOf } from '../../contract/errors';
import type { ProjectId, ThreadId } from '../../contract/ids';
import { optional } from '../../contract/shared/optional';
import { because } from '../../contract/shared/reasons';
import type { BackendProtocol } from '../../harness';
import { DEFAULT_EXECUTE_TIMEOUT, MAX_EXECUTE_TIMEOUT } from '../../harness/agent/limits';
import { scrubEnv } from '../../harness/backends';
import type { TurnTool } from '../../mcp/tools/turn-tool';
import type { Storage } from '../../storage';
import type { Places } from '../places/places';
import { pathRulesOf } from '../project/access/path-rules';
import type { Sandboxes } from '../project/access/sandboxes';
import type { SecretGuard } from '../project/access/secret-guard';
import { gateOfSecrets } from '../project/access/secrets';
import { placesOf } from '../project/mounts';
import type { ProjectRegistry } from '../project/projects';
import { gateOfMcp, rulesAmong } from '../settings/mcp';
import { pathRulesGate } from './path-rules-gate';
import { permissionGate } from './permission-gate';
import { protectedGate } from './protected-paths';
import { recordedRules, routineGate, routineLimits } from './routine-gate';

/** Maximum files named as changed without asking. */
const MAX_AUTO_APPROVED = 3;

/** The host's services for judging calls. */
export interface GateParts {
  storage: Storage;
  projects: Pick<ProjectRegistry, 'present'>;
  sandboxes: Sandboxes;
  places: Pick<Places, 'policyOf' | 'homeOf'>;
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  /** Overrides the project's mode. */
  mode?: ApprovalMode;
}

/** What is judged: the calls of a thread or, without one, of a new thread in the project. */
export interface GateSubject {
  project: Project;
  threadId: ThreadId | null;
  backend: BackendProtocol;
  /** Guards the thread's secrets; null without a thread. */
  guard: SecretGuard | null;
  /** The thread's server tools. */
  mcpTools: readonly TurnTool[];
  /** Whether commands can run in a throwaway layer first. Default: no. */
  rehearses?: () => Promise<boolean>;
  /** Working directory of commands. Default: the folder. */
  cwd?: string;
  /** A mode to try. Default: the project's. */
  mode?: ApprovalMode;
}

/**
 * The gate in front of every call. Runs, previews, reruns and rule trials all use it, so they never judge differently. From
 * the outside in: restore secrets; apply the person's decisions; keep a routine to its record; mark server tools; check protected paths; apply what
 * places allow; then apply rules and mode. The project's rules about paths come before all of these. Whatever can change while a thread works is read for each call, so that changes apply immediately.
 */
export function gateOfCalls(parts: GateParts, subject: GateSubject): Gate {
  const { storage, sandboxes, env } = parts;
  const { project, threadId, backend, guard, mcpTools, cwd } = subject;
  const shell = shellPlaces(project, parts);
  const policies = () => parts.places.policyOf(project);
  const pathRules = () => pathRulesOf(storage, project);
  const { rehearses } = subject;
  const limits = () => routineLimits(storage, threadId);
  const byRules = createGate({
    places: placesOf(project, () => policies().mounts, recipientOf(storage, project, threadId)),
    backend,
    timeoutSeconds: DEFAULT_EXECUTE_TIMEOUT,
    maxTimeoutSeconds: MAX_EXECUTE_TIMEOUT,
    environment: Object.keys(scrubEnv(env)),
    shell: shell === null || cwd === undefined ? shell : { ...shell, cwd },
    mode: () =>
      subject.mode ?? parts.mode ?? limits()?.mode ?? storage.projects.get(project.id)?.mode ?? 'ask-risky',
    rules: () => [
      ...rulesAmong(
        [...rulesFor(storage, project.id, threadId), ...recordedRules(limits(), threadId)],
        mcpTools,
      ),
      ...pathRules().allowing(project),
    ],
    autoApprovedSince: (time) => storage.fileChanges.autoApprovedSince(project.id, time, MAX_AUTO_APPROVED),
    confinement: () => sandboxes.confinementOf(project.id),
    machines: () => policies().machines,
    home: parts.places.homeOf(project)?.path ?? null,
    // A throwaway layer does not keep files read-only.
    rehearses: async () => !pathRules().restrictsWriting && (await rehearses?.()) === true,
    folderIdentity: async () => storage.projects.get(project.id)?.inode ?? '',
  });
  const byPlaces: Gate = {
    judge: (call, signal, past) =>
      permissionGate(byRules, policies().permissions, backend).judge(call, signal, past),
  };
  const byPaths = protectedGate(byPlaces, project, backend, {
    home: shell?.home ?? homedir(),
    mounts: () => policies().mounts.map(({ path }) => path),
  });
  const byPathRules = pathRulesGate(byPaths, {
    backend,
    rules: pathRules,
    home: parts.places.homeOf(project)?.path ?? null,
    confinement: () =>
      project.remote === undefined
        ? sandboxes.confinementOf(project.id)
        : unconfined({ name: project.remote.machine }),
    shell,
  });
  const ofServers = gateOfMcp(byPathRules, mcpTools);
  const inRoutine = routineGate(ofServers, limits);
  const inFolder = gateOfFolder(inRoutine, project, parts.projects);
  if (threadId === null || guard === null) return inFolder;
  const lastAsked = lastAskedIn(storage, threadId);
  const byAnswers = holdingAnswers(inFolder, storage, threadId, lastAsked);
  return sayingChanges(gateOfSecrets(byAnswers, guard), lastAsked);
}

/** A task is given to an agent by name, and later instructions to the agent of a task. */
const recipientOf =
  (storage: Storage, project: Project, threadId: ThreadId | null) =>
  ({ agentName, taskId }: Record<string, unknown>): string | null => {
    const task =
      threadId === null || typeof taskId !== 'string' ? null : storage.remoteTasks.get(threadId, taskId);
    const name = task?.agentName ?? agentName;
    const agent = storage.remoteAgents
      .list()
      .find((one) => one.name === name && (one.projectId === null || one.projectId === project.id));
    return agent === undefined ? null : new URL(agent.address).host;
  };

/** Denies calls for a folder that is missing or was replaced. */
const gateOfFolder = (gate: Gate, { id }: Project, projects: GateParts['projects']): Gate => ({
  judge: async (call, signal, past) => {
    const present = await projects.present(id);
    if (present.ok) return gate.judge(call, signal, past);
    return {
      verdict: 'deny',
      reason: [because('not_run', { tool: call.tool, why: reasonOf(present.error) })],
    };
  },
});

/** The rules for a thread, or for any new thread of the project. */
export const rulesFor = (storage: Storage, projectId: ProjectId, threadId: ThreadId | null): Rule[] =>
  threadId === null
    ? storage.rules
        .list()
        .filter(
          ({ scope }) =>
            scope.kind === 'person' || (scope.kind === 'project' && scope.projectId === projectId),
        )
    : storage.rules.applying(projectId, threadId);

/** The last approval request for a call of the current step, even from before a restart. */
const lastAskedIn =
  ({ approvals }: Storage, threadId: ThreadId) =>
  (callId: string): Approval | undefined => {
    const isOfCall = (approval: Approval) => approval.callId === callId;
    return (
      approvals.waiting(threadId).findLast(isOfCall) ??
      approvals.taken(threadId).findLast(({ approval }) => isOfCall(approval))?.approval
    );
  };

/** Tells the gate the person's decisions and the results of earlier attempts. */
const holdingAnswers = (
  gate: Gate,
  { approvals }: Storage,
  threadId: ThreadId,
  lastAsked: (callId: string) => Approval | undefined,
): Gate => ({
  judge: (call, signal, past = {}) => {
    const asked = lastAsked(call.callId);
    const preview = asked?.preview;
    const attempt = past.attempt ?? (preview?.kind === 'command' ? preview.attempt : undefined);
    // Its changes in a layer do not show whether the real run took effect.
    const isOpen = past.startedBefore !== true && past.again === undefined;
    const outcome = past.outcome ?? (isOpen ? asked?.outcome : undefined);
    const notRehearsed = past.notRehearsed ?? whyNotRehearsed(asked?.reason ?? []);
    const answered =
      past.answered === true ||
      // The decision was to run it in a layer.
      (past.again === undefined &&
        approvals.taken(threadId).some(({ approval }) => approval.callId === call.callId));
    return gate.judge(call, signal, { ...past, answered, ...optional({ attempt, outcome, notRehearsed }) });
  },
});

/** Where a project's commands run and what they can reach; null on systems whose shell is not parsed. */
export function shellPlaces(
  project: Project,
  options: Pick<GateParts, 'env' | 'dataFolder'>,
): PlacesOnDisk | null {
  if (process.platform === 'win32') return null;
  const env = scrubEnv(options.env);
  return {
    folder: project.folder,
    cwd: project.folder,
    home: env.HOME ?? homedir(),
    dataDir: options.dataFolder,
    ...programFinder(env.PATH ?? '/usr/local/bin:/usr/bin:/bin', project.folder),
  };
}
