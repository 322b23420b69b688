import type { ThreadSummary } from '../../contract/app';
import type { ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { Handlers } from '../../contract/rpc';
import { optional } from '../../contract/shared/optional';
import type { McpServers } from '../../mcp/servers';
import type { Storage } from '../../storage';
import type { ProjectRegistry } from '../project/projects';
import type { Fork } from '../threads/fork';
import type { Connection } from '../window/connection';
import type { ShellServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';

/** The list of projects and threads, and the windows that show them. */
export function threadHandlers(parts: {
  storage: Storage;
  hub: Hub;
  projects: ProjectRegistry;
  mcp: McpServers;
  fork: Fork;
  shell: ShellServices;
}): Pick<
  Handlers<Connection>,
  | 'thread.mark'
  | 'thread.duplicate'
  | 'project.rename'
  | 'project.move'
  | 'project.restore'
  | 'project.look'
  | 'project.reattach'
  | 'window.open'
  | 'window.front'
> {
  const { storage, hub, projects, shell } = parts;

  const told = (threadId: ThreadId): Result<ThreadSummary> => {
    const summary = storage.threads.summary(threadId);
    if (summary === null) return fail('not_found', 'This thread does not exist any more.');
    hub.app({ type: 'summary.changed', summary });
    return ok(summary);
  };

  return {
    'thread.mark': ({ threadId, pinned, archived }) => {
      storage.threads.mark(
        threadId,
        {
          ...optional({ pinned, archived }),
          // One or the other: what is put away is not on top.
          ...(pinned === true ? { archived: false } : archived === true ? { pinned: false } : {}),
        },
        Date.now(),
      );
      return told(threadId);
    },
    'thread.duplicate': async ({ threadId }) => {
      const forked = await parts.fork(threadId, null);
      return forked.ok ? told(forked.value.id) : forked;
    },
    'project.rename': ({ projectId, name }) => {
      const found = projects.get(projectId);
      if (!found.ok) return found;
      const project = { ...found.value, name };
      projects.change(project);
      return ok(project);
    },
    'project.move': ({ projectId, before }) => {
      projects.move(projectId, before);
      return ok({});
    },
    'project.restore': ({ projectId }) => projects.restore(projectId),
    'project.look': ({ projectId }) => projects.look(projectId),
    'project.reattach': async ({ projectId }) => {
      const isBusy = () => storage.threads.summaries(projectId).some(({ status }) => status === 'running');
      const busy = fail('conflict', 'The agent is at work in this project. Stop it first.');
      if (isBusy()) return busy;
      const folder = await shell.chooseFolder();
      if (folder === null) return ok({ project: null });
      if (isBusy()) return busy;
      // They were started in the other folder.
      await parts.mcp.release(projectId);
      const project = await projects.reattach(projectId, folder);
      return project.ok ? ok({ project: project.value }) : project;
    },
    'window.open': ({ view }) =>
      shell.openWindow === undefined
        ? fail('unsupported', 'There are no windows here.')
        : ok({ views: [...shell.openWindow(view)] }),
    'window.front': async (_input, connection) => {
      connection.toFront();
      await Promise.all(storage.projects.list().map(({ id }) => projects.look(id)));
      return ok({});
    },
  };
}
