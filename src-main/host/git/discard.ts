import { randomUUID } from 'node:crypto';
import type { EngineApi } from '../../changes';
import type { Project } from '../../contract/app';
import { sameState } from '../../contract/changes';
import type { ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { Storage } from '../../storage';
import type { ChangeLog } from '../project/changes/change-log';
import { failureOf } from './failures';
import { type GitService, statusOf } from './git-service';
import { argumentOf, pathspecs } from './path-texts';
import { runGit } from './run-git';

interface Parts {
  git: GitService;
  storage: Storage;
  engine: EngineApi;
  log: ChangeLog;
}

/** Discards changes of one file. Its content is kept like that of every change, so that it can be restored. */
export class Discards {
  constructor(private readonly parts: Parts) {}

  async discard(project: Project, path: string): Promise<Result<{ undo: number }>> {
    const { git, storage, engine, log } = this.parts;
    if (!(await log.recordChanges(project))) return fail('conflict', 'git_discard_too_early');
    return git.inRepository(project, async (repository) => {
      const status = await statusOf(repository);
      if (!status.ok) return status;
      const file = status.value.files.find((one) => one.path === path);
      if (file?.unstaged == null || file.unstaged === 'conflict' || file.submodule)
        return fail('stale', 'file_changed_since_shown');
      const [before] = await engine.states(project.folder, [path]);
      const isKept =
        before?.type === 'absent' ||
        before?.type === 'link' ||
        (before?.type === 'file' && before.hash !== null);
      if (!isKept) return fail('too_large', 'git_discard_lost');
      const isNew = file.unstaged === 'untracked';
      const name = argumentOf(path);
      if (isNew && !name.ok) return name;
      const from = ['--pathspec-from-file=-', '--pathspec-file-nul'];
      const failure = await log.byPerson(project, [path], async () =>
        failureOf(
          isNew && name.ok
            ? await runGit(repository, ['clean', '--force', '--quiet', '--', name.value])
            : await runGit(repository, ['restore', '--worktree', ...from], { input: pathspecs([path]) }),
        ),
      );
      if (failure !== null) return failure;
      await log.recordChanges(project);
      const row = storage.fileChanges.ofPath(project.id, path, 1)[0];
      return row !== undefined && sameState(row.before, before)
        ? ok({ undo: row.id })
        : fail('storage', 'git_discard_lost');
    });
  }

  async undo(
    project: Project,
    threadId: ThreadId,
    path: string,
    undo: number,
  ): Promise<Result<Record<never, never>>> {
    const { storage, log } = this.parts;
    await log.recordChanges(project);
    const row = storage.fileChanges.ofPath(project.id, path, 1)[0];
    // A later change of the file would be lost.
    if (row?.id !== undo || row.dropped) return fail('stale', 'file_changed_since_shown');
    const step = { path, before: row.after, after: row.before };
    const [result] = await log.carryOut(project, {
      id: randomUUID(),
      projectId: project.id,
      threadId,
      steps: [step],
    });
    return result?.outcome === 'done' || result?.outcome === 'already'
      ? ok({})
      : fail('conflict', 'not_restored', { path });
  }
}
