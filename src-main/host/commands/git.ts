import type { EngineApi } from '../../changes';
import type { Project } from '../../contract/app';
import type { ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import { branchesOf, switchTo } from '../git/branches';
import { Discards } from '../git/discard';
import { draftMessage } from '../git/draft';
import { GitService } from '../git/git-service';
import { compare, transfer } from '../git/transfer';
import type { SecretService } from '../project/access/secrets';
import type { ChangeLog } from '../project/changes/change-log';
import type { Reverts } from '../project/changes/reverts';
import type { ProjectRegistry } from '../project/projects';
import type { ModelService } from '../settings/model-service';
import type { LiveThread } from '../threads/live-thread';
import type { OpenThreads } from '../threads/live-threads';
import type { Connection } from '../window/connection';

interface Parts {
  storage: Storage;
  turns: OpenThreads;
  projects: ProjectRegistry;
  reverts: Reverts;
  engine: EngineApi;
  changeLog: ChangeLog;
  models: ModelService;
  secrets: SecretService;
  env: NodeJS.ProcessEnv;
}

/** Handlers for the git repository of a folder. */
export function gitHandlers(parts: Parts): HandlersOf<'git', Connection> {
  const { storage, turns, projects, reverts, engine, changeLog, models, secrets, env } = parts;
  const git = new GitService({ storage, reverts, env });
  const discards = new Discards({ git, storage, engine, log: changeLog });
  const inProject = async <T>(
    threadId: ThreadId,
    work: (project: Project, live: LiveThread) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const live = turns.thread(threadId);
    if (!live.ok) return live;
    const project = await projects.present(live.value.state.thread.projectId);
    return project.ok ? work(project.value, live.value) : project;
  };
  /** Git must not change files under a working agent. */
  const whileIdle = <T>(threadId: ThreadId, work: (project: Project) => Promise<Result<T>>) =>
    inProject(threadId, async (project, live) =>
      live.state.turn.phase === 'running' ? fail('conflict', 'agent_at_work') : work(project),
    );
  return {
    'git.status': ({ threadId }, _connection, signal) =>
      inProject(threadId, (project) => git.status(project, signal)),
    'git.file': ({ threadId, path, staged }, _connection, signal) =>
      inProject(threadId, (project) => git.file(project, path, staged, signal)),
    'git.stage': ({ threadId, paths, staged }) =>
      inProject(threadId, (project) => git.stage(project, paths, staged)),
    'git.stageAll': ({ threadId }, _connection, signal) =>
      inProject(threadId, (project) => git.stageAll(project, signal)),
    'git.stageHunk': ({ threadId, ...hunk }) =>
      inProject(threadId, (project) => git.stageHunk(project, hunk)),
    'git.stageAgent': ({ threadId }, _connection, signal) =>
      inProject(threadId, (project) => git.stageAgent(project, signal)),
    'git.commit': ({ threadId, ...commit }, _connection, signal) =>
      inProject(threadId, (project) => git.commit(project, commit, signal)),
    'git.allowHooks': ({ threadId, digest }) =>
      inProject(threadId, (project) => git.allowHooks(project, digest)),
    'git.disallowHooks': ({ threadId, digest }) =>
      inProject(threadId, async () => ok(git.disallowHooks(digest))),
    'git.draft': ({ threadId }, _connection, signal) =>
      inProject(threadId, (project, live) =>
        git.inRepository(project, async (repository) => {
          await secrets.refresh();
          const redact = (text: string) => secrets.of(threadId).redact(text);
          return draftMessage(repository, live, { models, storage, redact }, signal);
        }),
      ),
    'git.branches': ({ threadId }, _connection, signal) =>
      inProject(threadId, (project) =>
        git.inRepository(project, (repository) => branchesOf(repository, signal)),
      ),
    'git.switch': ({ threadId, ...to }, _connection, signal) =>
      whileIdle(threadId, (project) =>
        git.inRepository(project, (repository) => switchTo(git, repository, to, signal)),
      ),
    'git.compare': ({ threadId, direction }, _connection, signal) =>
      inProject(threadId, (project) =>
        git.inRepository(project, (repository) => compare(repository, direction, signal)),
      ),
    'git.transfer': ({ threadId, direction, transfer: shown }, _connection, signal) =>
      (direction === 'pull' ? whileIdle : inProject)(threadId, (project) =>
        git.inRepository(project, (repository) => transfer(git, repository, direction, shown, signal)),
      ),
    'git.discard': ({ threadId, path }) => whileIdle(threadId, (project) => discards.discard(project, path)),
    'git.undoDiscard': ({ threadId, path, undo }) =>
      whileIdle(threadId, (project) => discards.undo(project, threadId, path, undo)),
  };
}
