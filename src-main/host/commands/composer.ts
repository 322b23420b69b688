import type { Project } from '../../contract/app';
import type { ComposerCommand } from '../../contract/commands/composer';
import { fail, ok, type Result } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { McpServers } from '../../mcp/servers';
import type { Storage } from '../../storage';
import type { Files } from '../project/files/files';
import type { ProjectRegistry } from '../project/projects';
import type { ReadyRuns } from '../turns/run/ready-runs';
import type { Connection } from '../window/connection';

interface Parts {
  storage: Storage;
  projects: ProjectRegistry;
  files: Files;
  mcp: McpServers;
  /** Folder on this machine with the person's own agents. */
  personalAgents: string;
  ready: ReadyRuns;
}

/** Handlers for the `/` at the start of a message. */
export function composerHandlers(parts: Parts): HandlersOf<'composer', Connection> {
  const { storage, projects, mcp } = parts;
  return {
    'composer.started': ({ threadId }) => {
      void parts.ready.begin(threadId);
      return ok({});
    },
    'composer.commands': async (place) => {
      const thread = 'threadId' in place ? storage.threads.summary(place.threadId) : null;
      if ('threadId' in place && thread === null) return fail('not_found', 'thread_gone');
      const projectId = 'threadId' in place ? thread?.projectId : place.projectId;
      if (projectId === undefined) return fail('not_found', 'project_gone');
      const project = await projects.present(projectId);
      if (!project.ok) return project;
      // A new thread has nothing to compact.
      const compact: ComposerCommand[] = thread === null ? [] : [{ kind: 'action', name: 'compact' }];
      const [own, servers] = await Promise.all([described(parts, project.value), mcp.prompts(project.value)]);
      return ok({
        commands: named([...compact, ...own, ...promptsOf(servers)]),
        coming: servers.flatMap(({ server, isComing }) => (isComing ? [server] : [])),
      });
    },
    'composer.resources': async ({ projectId }) => {
      const project = await projects.present(projectId);
      if (!project.ok) return project;
      const servers = await mcp.resources(project.value);
      return ok({
        resources: servers.flatMap(({ id, server, offers }) =>
          offers.map((resource) => ({ ...resource, serverId: id, server })),
        ),
      });
    },
    'composer.prompt': async ({ projectId, serverId, prompt, arguments: args }, _connection, signal) => {
      const project = await projects.present(projectId);
      if (!project.ok) return project;
      const text: Result<string> = await mcp.prompt(project.value, { id: serverId, prompt, args }, signal);
      return text.ok ? ok({ text: text.value }) : text;
    },
  };
}

/** Sub-agents and skills. If names collide, the project's come before the person's, and those before the app's. */
async function described(
  { files, personalAgents }: Pick<Parts, 'files' | 'personalAgents'>,
  project: Project,
): Promise<ComposerCommand[]> {
  // These import packages that are not needed at startup.
  const [{ agentFilesOf, ownerOf, skillsOf }, { listSkills }] = await Promise.all([
    import('../turns/run/knowledge'),
    import('../../harness/agent/knowledge/list-skills'),
  ]);
  const backend = await files.backend(project, null);
  const [{ agents }, { skills }] = await Promise.all([
    agentFilesOf({ project, backend, personal: personalAgents }),
    listSkills(backend, skillsOf(project)),
  ]);
  const about = ({ name, description, path }: { name: string; description: string; path: string }) => ({
    name,
    description,
    source: ownerOf(path),
  });
  return [
    ...agents.map((one) => ({ kind: 'agent' as const, ...about(one) })),
    ...skills.map((one) => ({ kind: 'skill' as const, ...about(one) })),
  ];
}

function promptsOf(servers: Awaited<ReturnType<McpServers['prompts']>>): ComposerCommand[] {
  return servers.flatMap(({ id, server, offers }) =>
    offers.map(({ name, ...prompt }) => ({
      kind: 'prompt' as const,
      ...prompt,
      name: `${server}:${name}`,
      serverId: id,
      prompt: name,
    })),
  );
}

/** Keeps the first of each name, because a message refers to it by name. */
function named(commands: readonly ComposerCommand[]): ComposerCommand[] {
  const seen = new Set<string>();
  return commands.filter(({ name }) => {
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  });
}
