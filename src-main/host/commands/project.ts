import type { Project } from '../../contract/app';
import type { ProjectId } from '../../contract/ids';
import type { PlaceRule } from '../../contract/places';
import { fail, ok, type Result } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { McpServers } from '../../mcp/servers';
import type { Storage } from '../../storage';
import type { TerminalSessions } from '../../terminal/sessions';
import { setMode } from '../approvals/rules-and-modes';
import { allowsMore, pathRulesOf, wrongPathRule } from '../project/access/path-rules';
import type { Sandboxes } from '../project/access/sandboxes';
import { onThisComputer } from '../project/mount-paths';
import type { ProjectRegistry } from '../project/projects';
import type { RemoteProjects } from '../project/remote-projects';
import type { Turns } from '../turns/turns';
import type { Confirmations } from '../window/confirmations';
import type { Connection } from '../window/connection';
import type { DesktopServices } from '../window/desktop-services';
import type { FolderOffers } from '../window/folder-offers';

interface Parts {
  storage: Storage;
  projects: ProjectRegistry;
  remoteProjects: RemoteProjects;
  turns: Turns;
  terminals: TerminalSessions;
  mcp: McpServers;
  sandboxes: Sandboxes;
  offers: FolderOffers;
  confirmations: Confirmations;
  desktop: DesktopServices;
}

export function projectHandlers(parts: Parts): HandlersOf<'project', Connection> {
  const { projects, desktop, offers } = parts;
  return {
    'project.choose': async () => opened(projects, await desktop.chooseFolder()),
    'project.reveal': ({ projectId }) => {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      const here = onThisComputer(project.value);
      if (!here.ok) return here;
      desktop.reveal(project.value.folder);
      return ok({});
    },
    'project.remove': async ({ projectId }) => {
      for (const { id } of parts.storage.projects.copiesOf(projectId)) await endWork(parts, id);
      await endWork(parts, projectId);
      projects.remove(projectId);
      parts.remoteProjects.removed(projectId);
      return ok({});
    },
    'project.restore': async ({ projectId }) => {
      const restored = projects.restore(projectId);
      if (restored.ok) await parts.remoteProjects.restored(restored.value);
      return restored;
    },
    'project.rename': ({ projectId, name }) => {
      const found = projects.listed(projectId);
      if (!found.ok) return found;
      const project = { ...found.value, name };
      projects.change(project);
      return ok(project);
    },
    'project.move': ({ projectId, before }) => {
      projects.move(projectId, before);
      return ok({});
    },
    'project.look': ({ projectId }) => projects.reach(projectId),
    'project.reattach': ({ projectId }) => reattach(parts, projectId),
    'project.offers': (_input, connection) => {
      for (const event of offers.takeEarly()) connection.send(event);
      return ok({ offers: offers.list() });
    },
    'project.answerOffer': ({ id, open }) => {
      const folder = offers.take(id);
      return opened(projects, open ? folder : null);
    },
    'project.setMode': ({ projectId, mode, loosen = false }) => setMode(parts, projectId, mode, loosen),
    'project.setPathRules': ({ projectId, rules }) => setPathRules(parts, projectId, rules),
    'project.setSandbox': ({ projectId, on }) => setSandbox(parts, projectId, on),
  };
}

/** Null: the person chose no folder. */
async function opened(
  projects: ProjectRegistry,
  folder: string | null,
): Promise<Result<{ project: Project | null }>> {
  if (folder === null) return ok({ project: null });
  const project = await projects.open(folder);
  return project.ok ? ok({ project: project.value }) : project;
}

type Workers = Pick<Parts, 'storage' | 'turns' | 'terminals' | 'mcp'>;

/** Stops everything that runs in a project: turns, terminals, servers. */
export async function endWork(parts: Workers, projectId: ProjectId): Promise<void> {
  const { storage, turns, terminals, mcp } = parts;
  for (const { id } of storage.threads.summaries(projectId)) {
    await turns.discard(id);
    await terminals.endOf(id);
  }
  const own = terminals.list().filter((one) => one.projectId === projectId && one.kind === 'person');
  for (const { id } of own) await terminals.close(id);
  await mcp.release(projectId);
}

async function reattach(
  { storage, projects, mcp, desktop }: Parts,
  projectId: ProjectId,
): Promise<Result<{ project: Project | null }>> {
  const isBusy = () => storage.threads.summaries(projectId).some(({ status }) => status === 'running');
  const found = projects.get(projectId);
  const here = found.ok ? onThisComputer(found.value) : found;
  if (!here.ok) return here;
  const busy = fail('conflict', 'agent_at_work_in_project');
  if (isBusy()) return busy;
  const folder = await desktop.chooseFolder();
  if (folder === null) return ok({ project: null });
  if (isBusy()) return busy;
  // The servers were started in the other folder.
  await mcp.release(projectId);
  const project = await projects.reattach(projectId, folder);
  return project.ok ? ok({ project: project.value }) : project;
}

async function setSandbox(
  { projects, confirmations }: Parts,
  projectId: ProjectId,
  on: boolean,
): Promise<Result<Record<string, never>>> {
  const before = projects.get(projectId);
  if (!before.ok) return before;
  if (!on && before.value.sandbox !== false) {
    const confirmed = await confirmations.noSandbox(before.value);
    if (!confirmed.ok) return confirmed;
  }
  const project = projects.listed(projectId);
  if (!project.ok) return project;
  projects.change({ ...project.value, sandbox: on });
  return ok({});
}

async function setPathRules(
  { projects, confirmations, storage }: Parts,
  projectId: ProjectId,
  rules: readonly PlaceRule[],
): Promise<Result<Record<string, never>>> {
  const found = projects.get(projectId);
  if (!found.ok) return found;
  const glob = wrongPathRule(rules, found.value.mount);
  if (glob !== null) return fail('invalid', 'place_rule_wrong', { glob });
  const before = pathRulesOf(storage, found.value).given;
  if (allowsMore(before, rules)) {
    const confirmed = await confirmations.pathRules(found.value, rules);
    if (!confirmed.ok) return confirmed;
  }
  const project = projects.listed(projectId);
  if (!project.ok) return project;
  projects.change({ ...project.value, pathRules: [...rules] });
  return ok({});
}
