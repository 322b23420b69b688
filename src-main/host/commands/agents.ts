import type { RemoteAgentDraft } from '../../contract/agents';
import { ok, type Result } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { RemoteAgents } from '../agents/remote-agents';
import type { RemoteTasks } from '../agents/remote-tasks';
import type { ProjectRegistry } from '../project/projects';
import type { Confirmations } from '../window/confirmations';
import type { Connection } from '../window/connection';

interface Parts {
  remoteAgents: RemoteAgents;
  remoteTasks: RemoteTasks;
  projects: ProjectRegistry;
  confirmations: Confirmations;
}

export function agentsHandlers({
  remoteAgents,
  remoteTasks,
  projects,
  confirmations,
}: Parts): HandlersOf<'agents', Connection> {
  /** Hosts that the person let a test connect to. */
  const agreed = new Set<string>();
  /** A test asks once per host, because the window alone must not choose whom we connect to. */
  const mayConnect = async ({ address }: RemoteAgentDraft): Promise<Result<object>> => {
    const { host } = new URL(address);
    if (agreed.has(host)) return ok({});
    const consent = await confirmations.connect(host);
    if (consent.ok) agreed.add(host);
    return consent;
  };
  const confirmed = (draft: RemoteAgentDraft) => {
    const project = draft.projectId === null ? null : projects.get(draft.projectId);
    return confirmations.remoteAgent(draft, project?.ok === true ? project.value.name : null);
  };
  return {
    'agents.list': ({ projectId }) =>
      ok({ agents: remoteAgents.list(projectId), keychain: remoteAgents.hasKeychain }),
    'agents.test': async ({ draft, secret, id }, _connection, signal) => {
      const valid = remoteAgents.validate(draft, id);
      if (!valid.ok) return valid;
      const consent = await mayConnect(draft);
      return consent.ok ? remoteAgents.test(draft, secret, id, signal) : consent;
    },
    'agents.add': async ({ draft, secret }) => {
      const valid = remoteAgents.validate(draft, null);
      if (!valid.ok) return valid;
      const consent = await confirmed(draft);
      return consent.ok ? remoteAgents.add(draft, secret) : consent;
    },
    'agents.edit': async ({ id, draft, secret }) => {
      const valid = remoteAgents.validate(draft, id);
      if (!valid.ok) return valid;
      const consent = await confirmed(draft);
      return consent.ok ? remoteAgents.edit(id, draft, secret) : consent;
    },
    'agents.remove': ({ id }) => remoteAgents.remove(id),
    'agents.restore': ({ id }) => remoteAgents.restore(id),
    'agents.tasks': ({ threadId }) => ok({ tasks: remoteTasks.of(threadId) }),
    'agents.check': ({ threadId, taskId }) => remoteTasks.check(threadId, taskId),
    'agents.steer': ({ threadId, taskId, text }) => remoteTasks.steer(threadId, taskId, text),
    'agents.cancel': ({ threadId, taskId }) => remoteTasks.cancel(threadId, taskId),
  };
}
