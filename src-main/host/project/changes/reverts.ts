import { createHash, randomUUID } from 'node:crypto';
import type { EngineApi } from '../../../changes';
import type { Project } from '../../../contract/app';
import {
  type ChangedFile,
  type FileState,
  isFolderChange,
  isLost,
  type RevertConflict,
  type RevertOutcome,
  type RevertScope,
  sameState,
  type TurnFile,
} from '../../../contract/changes';
import type { Output } from '../../../contract/commands';
import type { ThreadState } from '../../../contract/conversation';
import type { MessageId, ThreadId } from '../../../contract/ids';
import { fail, ok, type Result } from '../../../contract/result';
import { isOfficeFile } from '../../../contract/shared/office';
import { optional } from '../../../contract/shared/optional';
import { inPathOrder } from '../../../contract/shared/path-order';
import type { Storage } from '../../../storage';
import type { FileChangeRow } from '../../../storage/file-changes';
import { MAX_COUNTED_FILES, uncountedOf } from '../counted-files';
import { documentDiff } from '../document-text';
import { type Blame, type BlameStep, blameOf } from './blame';
import { callOf, cameAfter, madeInTurn } from './calls-of-messages';
import type { ChangeLog } from './change-log';
import { stepsTo, type Target, type Way, waysOf } from './revert-steps';
import { changedInTurn, undoOf } from './turn-changes';

/** Maximum number of files in the list; the rest are only counted. */
const MAX_LISTED = 1_000;
/** Maximum number of files listed of one turn. */
const MAX_IN_TURN = 100;
/** Maximum number of lines shown of a diff. */
const MAX_LINES = 4_000;
/** Maximum number of steps in a file's timeline. */
const MAX_STEPS = 100;
/** Maximum number of changes compared for the blame of a file. */
const MAX_BLAMED = 60;
/** Cached line counts: the same two contents always differ by the same lines. */
const COUNTS_KEPT = 5_000;

const ABSENT: FileState = { type: 'absent' };

/** The state before the thread's first change of a path. */
interface Base {
  first: FileChangeRow;
  last: FileChangeRow;
}

/** What a thread changed in its folder, and how to revert it. */
export class Reverts {
  private readonly counts = new Map<string, { added: number; removed: number } | null>();

  constructor(
    private readonly storage: Storage,
    private readonly engine: EngineApi,
    private readonly log: ChangeLog,
  ) {}

  /** `since`: only changes after that message. Errors: `not_found` if it is not in the thread. */
  async list(
    project: Project,
    state: ThreadState,
    since?: MessageId,
  ): Promise<Result<Output<'changes.list'>>> {
    const threadId = state.thread.id;
    const ready = await this.log.recordChanges(project);
    const bases = this.basesOf(project, state, since);
    if (!bases.ok) return bases;
    const files: ChangedFile[] = [];
    let more = 0;
    const { ways, isOthers } = this.waysOfAll(project, threadId, bases.value);
    for (const [path, { first, last }] of bases.value) {
      const now = this.stateOf(project, path);
      const before = first.before;
      // Folders appear and disappear with their files.
      if (sameState(before, now) || isFolderChange(before, now)) continue;
      if (files.length >= MAX_LISTED) {
        more += 1;
        continue;
      }
      const counted = files.length < MAX_COUNTED_FILES ? await this.countsOf(before, now) : null;
      files.push({
        path,
        change: kindOf(before, now),
        added: counted?.added ?? null,
        removed: counted?.removed ?? null,
        ...undoOfFile(ways.get(path)),
        others: isOthers(path),
        at: last.at,
      });
    }
    return ok({ files: inPathOrder(files), more, ready, ...uncountedOf(files.length) });
  }

  /** What one turn changed, and whether it was undone. Errors: `not_found` if the message is not in the thread. */
  async turn(
    project: Project,
    state: ThreadState,
    messageId: MessageId,
  ): Promise<Result<Output<'changes.turn'>>> {
    const isOfTurn = madeInTurn(state.messages, messageId);
    if (!isOfTurn.ok) return isOfTurn;
    const rows = this.storage.fileChanges.ofThread(project.id, state.thread.id);
    const changed = changedInTurn(rows, isOfTurn.value, (path) => this.stateOf(project, path));
    const isOwn = (row: FileChangeRow) => isOfTurn.value(row) || isRevertOf(state.thread.id)(row);
    const firsts = changed.map(({ first }) => first);
    const { ways } = this.waysOf(project, rows, firsts, isOwn);
    const isLost = (path: string) => ways.get(path)?.isLost === true;
    const files: TurnFile[] = [];
    for (const { path, first, last, undone } of changed.slice(0, MAX_IN_TURN)) {
      const counted = await this.countsOf(first.before, last.after);
      files.push({
        path,
        change: kindOf(first.before, last.after),
        added: counted?.added ?? null,
        removed: counted?.removed ?? null,
        lost: isLost(path),
        undone,
      });
    }
    return ok({ files, more: changed.length - files.length, undo: undoOf(changed, isLost) });
  }

  private waysOfAll(project: Project, threadId: ThreadId, bases: ReadonlyMap<string, Base>) {
    const rows = this.storage.fileChanges.ofThread(project.id, threadId);
    const firsts = [...bases.values()].map(({ first }) => first);
    return this.waysOf(project, rows, firsts, isOf(threadId));
  }

  /** How an undo of all these changes would treat each of their paths. */
  private waysOf(
    project: Project,
    rows: readonly FileChangeRow[],
    firsts: readonly FileChangeRow[],
    isOwn: (row: FileChangeRow) => boolean,
  ) {
    const ids = new Map(firsts.map(({ path, id }) => [path, id]));
    const isOthers = (path: string) =>
      this.since(project, path, ids.get(path) ?? 0).some((row) => !isOwn(row));
    const wanted = firsts.map((first) => ({
      path: first.path,
      now: this.stateOf(project, first.path),
      to: wantedIn(first),
    }));
    const ways = waysOf(rows, wanted, isOthers);
    return { ways, isOthers };
  }

  async file(
    project: Project,
    state: ThreadState,
    path: string,
    since: MessageId | undefined,
    signal: AbortSignal,
  ): Promise<Result<Output<'changes.file'>>> {
    await this.log.recordChanges(project);
    const bases = this.basesOf(project, state, since);
    if (!bases.ok) return bases;
    const base = bases.value.get(path);
    if (base === undefined) return fail('not_found', 'file_not_changed_by_thread');
    const before = base.first.before;
    const now = this.stateOf(project, path);
    const compared = await this.engine.diff(before, now, MAX_LINES);
    const shown =
      compared.kind === 'binary' && isOfficeFile(path) ? await this.documents(before, now, signal) : null;
    const { kind, hunks, cut } = shown ?? compared;
    const timeline = this.storage.fileChanges
      .ofPath(project.id, path, MAX_STEPS)
      .map((row) => ({ at: row.at, author: row.author, change: kindOf(row.before, row.after) }));
    const { ways } = this.waysOfAll(project, state.thread.id, bases.value);
    const { moved } = undoOfFile(ways.get(path));
    return ok({ kind, hunks, cut, moved, digest: digestOf(before, now), timeline });
  }

  private async documents(before: FileState, now: FileState, signal: AbortSignal) {
    const bytesOf = (state: FileState) => {
      if (state.type !== 'file') return new Uint8Array();
      return state.hash === null ? null : this.engine.content(state.hash);
    };
    const sides = { before: await bytesOf(before), after: await bytesOf(now) };
    if (sides.before === null || sides.after === null) return null;
    const diff = await documentDiff({ before: sides.before, after: sides.after }, MAX_LINES, signal);
    return diff && { kind: 'document' as const, ...diff };
  }

  /** Attributes the lines of a file to changes, as far as they were recorded. */
  async blame(project: Project, path: string): Promise<Blame> {
    await this.log.recordChanges(project);
    const rows = this.storage.fileChanges.ofPath(project.id, path, MAX_BLAMED).toReversed();
    const steps: BlameStep[] = [];
    for (const { at, author, before, after, dropped } of rows) {
      const diff = dropped ? null : await this.engine.diff(before, after, Number.MAX_SAFE_INTEGER);
      const isKnown = diff?.kind === 'text' || diff?.kind === 'same';
      steps.push({ at, author, hunks: isKnown ? diff.hunks : null });
    }
    return blameOf(steps);
  }

  /** Errors: `stale` if the shown diff is outdated, `conflict` while the agent is working. */
  async revert(
    project: Project,
    state: ThreadState,
    scope: RevertScope,
    force: boolean,
  ): Promise<Result<RevertOutcome>> {
    const threadId = state.thread.id;
    if (state.turn.phase === 'running') return fail('conflict', 'agent_at_work');
    await this.log.recordChanges(project);
    const targets = await this.targetsOf(project, state, scope);
    if (!targets.ok) return targets;
    const { steps, conflicts } = await stepsTo(this.storage, this.engine, {
      project,
      threadId,
      targets: targets.value,
    });
    const others = conflicts.filter(({ conflict }) => conflict.reason === 'others');
    const told = conflicts.map(({ conflict }) => conflict);
    if (others.length > 0 && !force) {
      return ok({ status: 'asks', conflicts: told, files: steps.length + others.length });
    }
    const all = [...steps, ...others.flatMap(({ step }) => step ?? [])];
    const lost = told.filter(({ reason }) => reason !== 'others');
    if (all.length === 0) return ok({ status: 'done', revertId: null, files: 0, conflicts: lost });
    const id = randomUUID();
    const results = await this.log.carryOut(project, {
      id,
      projectId: project.id,
      threadId,
      steps: all,
    });
    const failed = results.flatMap(({ path, outcome, detail }): RevertConflict[] => {
      if (outcome === 'done' || outcome === 'already') return [];
      const reason = outcome === 'changed' ? 'others' : outcome;
      return [{ path, reason, ...optional({ detail }) }];
    });
    const left = new Set(failed.map(({ path }) => path));
    const files = all.filter(
      ({ path, before, after }) => !left.has(path) && !isFolderChange(before, after),
    ).length;
    return ok({ status: 'done', revertId: id, files, conflicts: [...lost, ...failed] });
  }

  private async targetsOf(
    project: Project,
    state: ThreadState,
    scope: RevertScope,
  ): Promise<Result<Map<string, Target>>> {
    const threadId = state.thread.id;
    const rows = this.storage.fileChanges.ofThread(project.id, threadId);
    const firstOf = (wanted: (row: FileChangeRow) => boolean, isOwn: Target['isOwn']) => {
      const targets = new Map<string, Target>();
      for (const row of rows)
        if (wanted(row) && !targets.has(row.path))
          targets.set(row.path, { to: wantedIn(row), since: row.id, isOwn });
      return ok(targets);
    };
    switch (scope.kind) {
      case 'thread':
        return firstOf(() => true, isOf(threadId));
      case 'file': {
        const isWanted = cameAfter(state.messages, scope.since);
        if (!isWanted.ok) return isWanted;
        return firstOf((row) => row.path === scope.path && isWanted.value(row), isOf(threadId));
      }
      case 'message': {
        const isWanted = cameAfter(state.messages, scope.messageId);
        return isWanted.ok ? firstOf(isWanted.value, isOf(threadId)) : isWanted;
      }
      case 'turn': {
        const isWanted = madeInTurn(state.messages, scope.messageId);
        if (!isWanted.ok) return isWanted;
        return firstOf(isWanted.value, (row) => isWanted.value(row) || isRevertOf(threadId)(row));
      }
      case 'call': {
        const isOwn = (row: FileChangeRow) => callOf(row) === scope.callId;
        return firstOf(isOwn, isOwn);
      }
      case 'revert': {
        const isOwn = ({ author }: FileChangeRow) =>
          author.by === 'revert' && author.revertId === scope.revertId;
        return firstOf(isOwn, isOwn);
      }
      case 'hunk': {
        const bases = this.basesOf(project, state, scope.since);
        if (!bases.ok) return bases;
        const base = bases.value.get(scope.path);
        const now = this.stateOf(project, scope.path);
        if (base === undefined || digestOf(base.first.before, now) !== scope.digest)
          return fail('stale', 'file_changed_since_shown');
        const { before } = base.first;
        const to = isLost(before) ? null : await this.engine.withoutHunk(before, now, scope.hunk);
        if (to === null) return fail('stale', 'change_gone');
        const isAll = before.type === 'absent' && to.type === 'file' && to.size === 0;
        // Reverts what was shown, whoever wrote it.
        const target = { to: isAll ? ABSENT : to, since: Number.MAX_SAFE_INTEGER, isOwn: () => true };
        return ok(new Map([[scope.path, target]]));
      }
      default:
        return scope satisfies never;
    }
  }

  private basesOf(
    project: Project,
    state: ThreadState,
    since: MessageId | undefined,
  ): Result<Map<string, Base>> {
    const isWanted = cameAfter(state.messages, since);
    if (!isWanted.ok) return isWanted;
    const bases = new Map<string, Base>();
    for (const row of this.storage.fileChanges.ofThread(project.id, state.thread.id)) {
      const known = bases.get(row.path);
      if (known) known.last = row;
      else if (isWanted.value(row)) bases.set(row.path, { first: row, last: row });
    }
    return ok(bases);
  }

  private stateOf(project: Project, path: string): FileState {
    return this.storage.fileChanges.lastState(project.id, path) ?? ABSENT;
  }

  private since(project: Project, path: string, id: number): FileChangeRow[] {
    return this.storage.fileChanges.ofPathSince(project.id, path, id - 1);
  }

  private async countsOf(before: FileState, after: FileState) {
    const key = digestOf(before, after);
    const known = this.counts.get(key);
    if (known !== undefined) return known;
    const { kind, added, removed } = await this.engine.diff(before, after, 0);
    const counts = kind === 'text' ? { added, removed } : null;
    if (this.counts.size >= COUNTS_KEPT) this.counts.clear();
    this.counts.set(key, counts);
    return counts;
  }
}

const isOf =
  (threadId: ThreadId) =>
  ({ author }: FileChangeRow): boolean =>
    (author.by === 'agent' || author.by === 'revert') && author.threadId === threadId;

const isRevertOf =
  (threadId: ThreadId) =>
  ({ author }: FileChangeRow): boolean =>
    author.by === 'revert' && author.threadId === threadId;

function kindOf(before: FileState, after: FileState): ChangedFile['change'] {
  if (before.type === 'absent') return 'added';
  if (after.type === 'absent') return 'removed';
  const isSameContent = before.type === 'file' && after.type === 'file' && before.hash === after.hash;
  return (isSameContent && before.hash !== null) || (before.type === 'dir' && after.type === 'dir')
    ? 'mode'
    : 'changed';
}

const lost = (state: FileState): FileState => (state.type === 'file' ? { ...state, hash: null } : state);

/** What an undo of a change wants: nothing if the content is no longer stored. */
const wantedIn = ({ before, dropped }: FileChangeRow): FileState => (dropped ? lost(before) : before);

const undoOfFile = ({ isLost, from, back }: Way = { isLost: true }) => ({
  lost: isLost,
  moved: from ?? back ?? null,
});

const digestOf = (before: FileState, after: FileState): string =>
  createHash('sha256')
    .update(JSON.stringify([before, after]))
    .digest('hex');
