import { randomUUID } from 'node:crypto';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { EngineApi, NamedLimits, PathChange, StepResult } from '../../../changes';
import type { Project } from '../../../contract/app';
import type { ChangeAuthor, FileState } from '../../../contract/changes';
import { sameState } from '../../../contract/changes';
import type { ProjectId, ThreadId } from '../../../contract/ids';
import { optional } from '../../../contract/shared/optional';
import type { Storage } from '../../../storage';
import { WORK_WAITS } from '../../../storage/database/write-lock';
import type { AgentAuthor, OpenRevert } from '../../../storage/file-changes';
import type { PlaceWrite } from '../../../storage/place-writes';
import type { Hub } from '../../window/hub';
import { OtherFolder, scanOwn } from '../own-folder';
import type { ProjectRegistry } from '../projects';
import { authorOf, type RunningCommand } from './likely-author';
import { takeUpPlaceWrites } from './place-writes';
import { unclear } from './unclear-author';
import { changedBy } from './unkept-moves';

export interface ChangeLogOptions {
  storage: Storage;
  engine: EngineApi;
  hub: Hub;
  /** Only one process deletes unreferenced contents. */
  sweeps: boolean;
  projects: Pick<ProjectRegistry, 'isThere'>;
  /** Receives bugs that were caught at a boundary. */
  report: (where: string, error: unknown) => void;
}

/** A call about to run. Paths are relative to the folder, with `/`. */
export interface ComingCall {
  author: AgentAuthor;
  named: string[];
  /** A command may change any file, a file tool only the files it names. */
  isCommand: boolean;
  /** Of what is kept below a named folder that git ignores, or a `.git`; see `EngineApi.scan`. */
  limits?: NamedLimits;
  signal?: AbortSignal | undefined;
}

interface RunningJob {
  author: AgentAuthor;
  isRunning: () => Promise<boolean>;
}

/** Milliseconds that the first command in a folder waits for the snapshot of the folder. */
const FIRST_WAIT = 10_000;
/** Milliseconds that a person's change waits, to tell it apart from concurrent changes. */
const PERSON_WAITS = 500;
/** Rows written per batch, so that the main thread can do other work in between. */
const ROWS = 500;
/** Milliseconds between two checks of the disk budget. */
const TRIM_EVERY = 60_000;

/**
 * Records who changed which file of a folder, with its previous content. It never blocks a call: a failure here is reported,
 * and the call's changes cannot be undone.
 */
export class ChangeLog {
  private readonly commands = new Map<ProjectId, RunningCommand[]>();
  private readonly jobs = new Map<ProjectId, RunningJob[]>();
  private readonly recovered = new Map<ProjectId, Promise<void>>();
  private readonly last = new Map<ProjectId, Promise<unknown>>();
  private trimmedAt = 0;

  constructor(private readonly options: ChangeLogOptions) {}

  /** Starts the snapshot of the folder, so that it is ready for the first command. */
  prepare(project: Project): void {
    this.recover(project)
      .then(() => this.options.engine.open(project.folder))
      .catch(this.failed);
  }

  /** Finishes interrupted reverts. */
  async start(projects: readonly Project[]): Promise<void> {
    const open = projects.filter(({ id }) => this.options.storage.fileChanges.openReverts(id).length > 0);
    await Promise.all(open.map((project) => this.recover(project)));
  }

  /** Runs a call and records what it changed. Rejects as the call does, or before it with the signal's reason. */
  async around<T>(project: Project, call: ComingCall, work: () => Promise<T>): Promise<T> {
    const claim = randomUUID();
    const before = this.before(project, call, claim).catch((error: unknown) => {
      // What the person changed until now is found after the call.
      this.mayHaveChanged(project, call.author);
      this.failed(error);
    });
    let hasBegun = false;
    try {
      await raceAbort(before, call.signal);
      hasBegun = true;
      return await work();
    } finally {
      const after = this.after(project, call, claim).catch(this.failed);
      // Stopped during the first scan of the folder: do not wait for its end.
      if (hasBegun) await after;
    }
  }

  /**
   * Runs an action of the person. Changes at the named paths are theirs, whatever else runs. If the folder has no snapshot
   * yet, nothing is recorded and nobody waits for the first scan.
   */
  async byPerson<T>(project: Project, named: string[], work: () => Promise<T>): Promise<T> {
    if (!this.recovered.has(project.id) || named.length === 0) return work();
    const { engine } = this.options;
    const claim = randomUUID();
    const started = this.inTurn(project, async () => {
      const { changes } = await scanOwn(this.options, project, { named, claim, exclusive: true });
      await this.record(project, changes);
    }).catch(this.failed);
    let waited: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      waited = setTimeout(resolve, PERSON_WAITS);
    });
    await Promise.race([started, limit]);
    clearTimeout(waited);
    try {
      return await work();
    } finally {
      this.inTurn(project, async () => {
        await this.insert(project.id, PERSON, await engine.release(project.folder, claim));
      }).catch(this.failed);
    }
  }

  /** Records what a call may change in a place. `changedInPlace` ends it, or after a kill the next start. */
  changingInPlace(project: Project, write: PlaceWrite): void {
    this.options.storage.placeWrites.begin(project.id, write);
  }

  /** Records what a call changed in a place. */
  async changedInPlace(project: Project, author: AgentAuthor, changes: readonly PathChange[]): Promise<void> {
    this.options.storage.placeWrites.end(project.id, author, Date.now(), changes);
    if (changes.length > 0) this.tell(project.id, author.threadId);
    await this.trim();
  }

  /** A background job of the agent continues: later changes may be the person's or the job's. */
  jobStarted(project: Project, author: AgentAuthor, isRunning: () => Promise<boolean>): void {
    this.jobs.set(project.id, [...(this.jobs.get(project.id) ?? []), { author, isRunning }]);
  }

  /** Records the changes so far; false during the first scan of the folder. */
  recordChanges(project: Project): Promise<boolean> {
    return this.inTurn(project, async () => {
      const { changes, ready } = await scanOwn(this.options, project, {});
      await this.record(project, changes);
      return ready;
    });
  }

  /**
   * Runs a revert. It is recorded before the first file changes, so that the next start can finish it after a kill. Returns
   * the outcome for each path.
   */
  carryOut(project: Project, revert: OpenRevert) {
    return this.inTurn(project, async () => {
      const { fileChanges } = this.options.storage;
      fileChanges.revertBegins(revert, Date.now());
      // Nothing has changed yet, and the person is told so: the next start must not carry it out.
      return this.finish(project, revert, () => fileChanges.revertEnds(revert, Date.now(), []));
    });
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.last.values()]);
    await this.options.engine.close();
  }

  /** `onUnseen`: called if the folder cannot be checked, before anything changes. */
  private async finish(project: Project, revert: OpenRevert, onUnseen = () => {}) {
    const { engine, storage } = this.options;
    const claim = randomUUID();
    const named = revert.steps.flatMap(({ path, from }) => (from === undefined ? path : [path, from]));
    let results: StepResult[];
    let released: PathChange[] = [];
    try {
      await scanOwn(this.options, project, { named, claim, exclusive: true })
        .then(({ changes }) => this.record(project, changes))
        .catch((error: unknown) => {
          onUnseen();
          throw error;
        });
      results = await engine.apply(project.folder, revert.id, revert.steps);
    } finally {
      released = await engine.release(project.folder, claim);
    }
    storage.fileChanges.revertEnds(revert, Date.now(), changedBy(revert.steps, results, released));
    this.tell(project.id, revert.threadId);
    return results;
  }

  private before(
    project: Project,
    { author, named, isCommand, limits }: ComingCall,
    claim: string,
  ): Promise<void> {
    return this.inTurn(project, async () => {
      this.options.storage.fileChanges.callBegins(project.id, author);
      const { changes } = await scanOwn(this.options, project, {
        named,
        claim,
        exclusive: !isCommand,
        ...(isCommand ? { waitMs: FIRST_WAIT } : {}),
        ...optional({ limits }),
      });
      await this.record(project, changes);
      if (isCommand) this.commands.set(project.id, [...this.running(project.id), { author, named }]);
    });
  }

  private after(project: Project, { author, isCommand }: ComingCall, claim: string): Promise<void> {
    return this.inTurn(project, async () => {
      const { engine, storage } = this.options;
      let named: PathChange[] = [];
      let isComplete = false;
      try {
        if (isCommand) {
          const { changes } = await scanOwn(this.options, project, {});
          const isRunning = this.running(project.id).some((command) => command.author === author);
          await this.record(project, changes, isRunning ? author : undefined);
        }
        isComplete = true;
      } finally {
        const others = this.running(project.id).filter((command) => command.author !== author);
        this.commands.set(project.id, others);
        // The next check finds its changes, and those that the person makes until then.
        if (!isComplete) this.mayHaveChanged(project, author);
        named = await engine.release(project.folder, claim);
      }
      await this.insert(project.id, author, named);
      storage.fileChanges.callEnds(author.threadId, author.callId);
      await this.trim();
    });
  }

  /** That a folder is gone is no bug. */
  private readonly failed = (error: unknown): void => {
    if (!(error instanceof OtherFolder)) this.options.report('changes', error);
  };

  private running(projectId: ProjectId): RunningCommand[] {
    return this.commands.get(projectId) ?? [];
  }

  /** Records the scanned changes under their possible authors. `ending`: the command that has just finished. */
  private async record(
    project: Project,
    changes: readonly PathChange[],
    ending?: AgentAuthor,
  ): Promise<void> {
    if (changes.length === 0) return;
    const running = this.running(project.id);
    const [job] = running.length === 0 ? await this.runningJobs(project.id) : [];
    const byAuthor = new Map<string, { author: ChangeAuthor; changes: PathChange[] }>();
    for (const change of changes) {
      const author = authorOf(change.path, running, ending) ?? (job ? unclear(job.author) : PERSON);
      const key = JSON.stringify(author);
      const group = byAuthor.get(key) ?? { author, changes: [] };
      group.changes.push(change);
      byAuthor.set(key, group);
    }
    for (const group of byAuthor.values()) await this.insert(project.id, group.author, group.changes);
  }

  private async insert(
    projectId: ProjectId,
    author: ChangeAuthor,
    changes: readonly PathChange[],
  ): Promise<void> {
    if (changes.length === 0) return;
    const at = Date.now();
    for (let from = 0; from < changes.length; from += ROWS) {
      if (from > 0) await nextRound();
      this.options.storage.fileChanges.insert(projectId, author, at, changes.slice(from, from + ROWS));
    }
    this.tell(projectId, author.by === 'person' ? null : author.threadId);
  }

  private tell(projectId: ProjectId, threadId: ThreadId | null): void {
    this.options.hub.app({ type: 'changes.recorded', projectId, threadId });
  }

  /** The next recorded changes may be the call's or the person's. */
  private mayHaveChanged(project: Project, author: AgentAuthor): void {
    this.jobStarted(project, author, async () => false);
  }

  private async runningJobs(projectId: ProjectId): Promise<RunningJob[]> {
    const jobs = this.jobs.get(projectId) ?? [];
    const states = await Promise.all(jobs.map((job) => job.isRunning()));
    // A job that has finished since the last scan may have caused these changes.
    this.jobs.set(
      projectId,
      jobs.filter((_, index) => states[index]),
    );
    return jobs.toReversed();
  }

  private recover(project: Project): Promise<void> {
    const known = this.recovered.get(project.id);
    if (known !== undefined) return known;
    const done = this.chain(project.id, () => this.takeUp(project));
    this.recovered.set(project.id, done);
    // Retried on the next request: the folder may be back by then.
    done.catch(() => this.recovered.delete(project.id));
    return done;
  }

  /** Recovers work that was interrupted at exit: finishes reverts and records that calls may have changed files. */
  private async takeUp(project: Project): Promise<void> {
    const { storage } = this.options;
    const { fileChanges } = storage;
    // Another live process finishes its own reverts.
    const reverts = fileChanges.openReverts(project.id);
    const calls = fileChanges.openCalls(project.id).filter(({ threadId }) => storage.leases.isFree(threadId));
    const { changes } = await scanOwn(this.options, project, {});
    // Recorded before the kill but not yet by the engine.
    const planned = new Map(reverts.flatMap(({ steps }) => steps.map((step) => [step.path, step.after])));
    const isKnown = ({ path, after }: PathChange) => {
      const seen: (FileState | null | undefined)[] = [
        fileChanges.lastState(project.id, path),
        planned.get(path),
      ];
      return seen.some((state) => state && sameState(state, after));
    };
    const author = calls.at(-1);
    const fresh = changes.filter((change) => !isKnown(change));
    await this.insert(project.id, author ? unclear(author) : PERSON, fresh);
    for (const revert of reverts) await this.finish(project, revert);
    for (const { threadId, callId } of calls) fileChanges.callEnds(threadId, callId);
    // Not awaited: a place may not answer for a minute.
    takeUpPlaceWrites(project, this.options, (threadId) => this.tell(project.id, threadId)).catch(
      this.failed,
    );
  }

  private async inTurn<T>(project: Project, work: () => Promise<T>): Promise<T> {
    await this.recover(project);
    const { lock } = this.options.storage;
    return this.chain(project.id, async () => {
      await lock.wait(WORK_WAITS);
      return work();
    });
  }

  private chain<T>(projectId: ProjectId, work: () => Promise<T>): Promise<T> {
    const done = (this.last.get(projectId) ?? Promise.resolve()).then(work, work);
    this.last.set(projectId, done);
    return done;
  }

  /** Drops the oldest contents when the disk budget is exceeded. */
  private async trim(): Promise<void> {
    const { engine, storage, sweeps } = this.options;
    const now = performance.now();
    if (!sweeps || (this.trimmedAt > 0 && now - this.trimmedAt < TRIM_EVERY)) return;
    this.trimmedAt = now;
    const { bytes, budget } = await engine.usage();
    if (bytes <= budget) return;
    const rows: { id: number; hashes: string[] }[] = [];
    for (let below = Number.MAX_SAFE_INTEGER; ; below = rows.at(-1)?.id ?? 0) {
      const page = storage.fileChanges.kept(below, ROWS);
      rows.push(...page);
      if (page.length < ROWS) break;
      await nextRound();
    }
    const through = await engine.planSweep(rows);
    // Update the database first: it must not promise contents that are gone.
    if (through !== null) storage.fileChanges.dropThrough(through);
    const kept = rows.filter(({ id }) => through === null || id > through);
    await engine.sweep([...kept.flatMap(({ hashes }) => hashes), ...storage.placeWrites.hashes()]);
  }
}

const PERSON: ChangeAuthor = { by: 'person' };

async function raceAbort(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
