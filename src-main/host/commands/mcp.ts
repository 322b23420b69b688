import type { Project } from '../../contract/app';
import type { ProjectId } from '../../contract/ids';
import { ok, type Result } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import { isSecretName } from '../../mcp/masks';
import type { McpServers } from '../../mcp/servers';
import type { ProjectRegistry } from '../project/projects';
import type { Confirmations } from '../window/confirmations';
import type { Connection } from '../window/connection';

export function mcpHandlers({
  mcp,
  projects,
  confirmations,
}: {
  mcp: McpServers;
  projects: ProjectRegistry;
  confirmations: Confirmations;
}): HandlersOf<'mcp', Connection> {
  const projectOf = (id: ProjectId | null): Result<Project | null> =>
    id === null ? ok(null) : projects.get(id);
  const answer = async (id: ProjectId | null, work: (project: Project | null) => Promise<Result<object>>) => {
    const project = projectOf(id);
    if (!project.ok) return project;
    const result = await work(project.value);
    return result.ok ? ok({}) : result;
  };
  /** Asks the person before a server from a folder may run; refuses if it has changed since. */
  const consent = async (project: Project | null, id: string, digest: string): Promise<Result<object>> => {
    const { servers } = await mcp.list(project);
    const server = servers.find((one) => one.id === id && one.digest === digest);
    // The next step finds that it is missing and refuses with the reason.
    if (server?.setup == null) return ok({});
    const { secrets, variables, ...setup } = server.setup;
    return confirmations.server(server.name, { ...setup, names: [...secrets, ...variables] });
  };
  return {
    'mcp.list': async ({ projectId }) => {
      const project = projectOf(projectId);
      return project.ok ? ok(await mcp.list(project.value)) : project;
    },
    'mcp.consent': ({ projectId, id, digest, allowed }) =>
      answer(projectId, async (project) => {
        const confirmed = allowed ? await consent(project, id, digest) : ok({});
        return confirmed.ok ? mcp.consent(project, id, digest, allowed) : confirmed;
      }),
    'mcp.setEnabled': ({ projectId, id, enabled }) =>
      answer(projectId, (project) => mcp.setEnabled(project, id, enabled)),
    'mcp.signIn': ({ projectId, id }) => answer(projectId, (project) => mcp.signIn(project, id)),
    'mcp.cancelSignIn': ({ projectId, id }) => answer(projectId, (project) => mcp.cancelSignIn(project, id)),
    'mcp.signOut': ({ projectId, id }) => answer(projectId, (project) => mcp.signOut(project, id)),
    'mcp.restart': ({ projectId, id }) => answer(projectId, (project) => mcp.restart(project, id)),
    'mcp.save': ({ draft }) =>
      answer(null, async () => {
        const checked = await mcp.check(draft);
        if (!checked.ok) return checked;
        // A variable such as NODE_OPTIONS can run a program just as the command does.
        const names = draft.secrets.map(({ name, value }) =>
          draft.transport !== 'stdio' || value === null || isSecretName(name) ? name : `${name}=${value}`,
        );
        const confirmed = await confirmations.server(draft.name, { ...draft, names });
        return confirmed.ok ? mcp.save(draft) : confirmed;
      }),
    'mcp.keepSecrets': ({ name }) => answer(null, () => mcp.keepSecrets(name)),
    'mcp.remove': ({ name }) => answer(null, () => mcp.remove(name)),
  };
}
