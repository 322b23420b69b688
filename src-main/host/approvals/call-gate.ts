import { homedir } from 'node:os';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { PlacesOnDisk } from '../../approvals/bash/places';
import { programFinder } from '../../approvals/bash/programs';
import { sayingChanges } from '../../approvals/changed-since';
import { createGate, type Gate } from '../../approvals/gate';
import type { Project } from '../../contract/app';
import type { ApprovalMode, Rule } from '../../contract/control';
import type { Approval } from '../../contract/conversation';
import type { ProjectId, ThreadId } from '../../contract/ids';
import { optional } from '../../contract/shared/optional';
import { because } from '../../contract/shared/reasons';
import { DEFAULT_EXECUTE_TIMEOUT, MAX_EXECUTE_TIMEOUT } from '../../harness/agent/limits';
import { scrubEnv } from '../../harness/backends';
import type { BackendProtocol } from '../../harness/backends/protocol';
import type { TurnTool } from '../../mcp/servers';
import type { Storage } from '../../storage';
import { placesOf } from '../project/mounts';
import type { ProjectRegistry } from '../project/projects';
import type { Sandboxes } from '../project/sandboxes';
import type { SecretGuard } from '../project/secret-guard';
import { gateOfSecrets } from '../project/secrets';
import { gateOfMcp, rulesAmong } from '../settings/mcp';
import { protectedGate } from './protected-paths';

/** Of the host, what calls are judged by. */
export interface GateParts {
  storage: Storage;
  projects: Pick<ProjectRegistry, 'present'>;
  sandboxes: Sandboxes;
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  /** In place of the project's own mode. */
  mode?: ApprovalMode;
}

/** What is judged: the calls of a thread, or, without one, what a thread of the project would call. */
export interface GateSubject {
  project: Project;
  threadId: ThreadId | null;
  backend: BackendProtocol;
  /** What keeps the secrets of the thread; null where there is no thread. */
  guard: SecretGuard | null;
  /** The tools of servers that the thread has. */
  mcpTools: readonly TurnTool[];
  /** Whether its commands can run in a throwaway layer first. Default: they cannot. */
  rehearses?: () => Promise<boolean>;
  /** Where commands start. Default: the folder. */
  cwd?: string;
  /** To try another mode. Default: the project's. */
  mode?: ApprovalMode;
}

/**
 * The gate in front of every call. There is only this one: runs, previews, commands that are run again and trials of rules
 * go by it, so that none of them judges otherwise than the others. From the outside in: secrets are put back; what the
 * person answered holds; servers' tools are said to be theirs; protected paths; then rules and mode. What can change
 * while a thread works is looked up for each call, so that changes hold at once.
 */
export function gateOfCalls(parts: GateParts, subject: GateSubject): Gate {
  const { storage, sandboxes, env } = parts;
  const { project, threadId, backend, guard, mcpTools, cwd } = subject;
  const shell = shellPlaces(project, parts);
  const byRules = createGate({
    places: placesOf(project),
    backend,
    timeoutSeconds: DEFAULT_EXECUTE_TIMEOUT,
    maxTimeoutSeconds: MAX_EXECUTE_TIMEOUT,
    environment: Object.keys(scrubEnv(env)),
    shell: shell === null || cwd === undefined ? shell : { ...shell, cwd },
    mode: () => subject.mode ?? parts.mode ?? storage.projects.get(project.id)?.mode ?? 'ask-risky',
    rules: () => rulesAmong(rulesFor(storage, project.id, threadId), mcpTools),
    confinement: () => sandboxes.confinementOf(project.id),
    ...optional({ rehearses: subject.rehearses }),
    folderIdentity: async () => storage.projects.get(project.id)?.inode ?? '',
  });
  const byPaths = protectedGate(byRules, project, backend, shell?.home ?? homedir());
  const ofServers = gateOfMcp(byPaths, mcpTools);
  const inFolder = gateOfFolder(ofServers, project, parts.projects);
  if (threadId === null || guard === null) return inFolder;
  const lastAsked = lastAskedIn(storage, threadId);
  const byAnswers = holdingAnswers(inFolder, storage, threadId, lastAsked);
  return sayingChanges(gateOfSecrets(byAnswers, guard), lastAsked);
}

/** No call is for a folder that is gone, or that another one has taken the place of. */
const gateOfFolder = (gate: Gate, { id }: Project, projects: GateParts['projects']): Gate => ({
  judge: async (call, signal, past) => {
    const present = await projects.present(id);
    if (present.ok) return gate.judge(call, signal, past);
    return {
      verdict: 'deny',
      reason: [
        because('not_run', { tool: call.tool, why: because('external', { text: inEnglish(present.error) }) }),
      ],
    };
  },
});

/** The rules that apply in a thread, or in any new thread of the project. */
export const rulesFor = (storage: Storage, projectId: ProjectId, threadId: ThreadId | null): Rule[] =>
  threadId === null
    ? storage.rules
        .list()
        .filter(
          ({ scope }) =>
            scope.kind === 'person' || (scope.kind === 'project' && scope.projectId === projectId),
        )
    : storage.rules.applying(projectId, threadId);

/** What was asked last about a call of the step under way, also before a restart. */
const lastAskedIn =
  ({ approvals }: Storage, threadId: ThreadId) =>
  (callId: string): Approval | undefined => {
    const isOfCall = (approval: Approval) => approval.callId === callId;
    return (
      approvals.waiting(threadId).findLast(isOfCall) ??
      approvals.taken(threadId).findLast(({ approval }) => isOfCall(approval))?.approval
    );
  };

/** Tells the gate what the person answered, and what came of an attempt before they were asked. */
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
    // What it did in a layer is no answer to whether what it did for real took effect.
    const isOpen = past.startedBefore !== true && past.again === undefined;
    const outcome = past.outcome ?? (isOpen ? asked?.outcome : undefined);
    const answered =
      past.answered === true ||
      // Their answer is that it runs in a layer.
      (past.again === undefined &&
        approvals.taken(threadId).some(({ approval }) => approval.callId === call.callId));
    return gate.judge(call, signal, { ...past, answered, ...optional({ attempt, outcome }) });
  },
});

/** Where the commands of a project run and what they can reach; null on systems whose shell is not read. */
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
