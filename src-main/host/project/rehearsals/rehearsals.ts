import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { deferred } from '../../../base/deferred';
import { MAX_TIMER } from '../../../base/timers';
import type { Project } from '../../../contract/app';
import type { Approval, Decision } from '../../../contract/approvals';
import { boundedDiff } from '../../../contract/bounded-diff';
import type { Output } from '../../../contract/commands';
import { MAX_DOCUMENT } from '../../../contract/commands/files';
import type { ThreadId } from '../../../contract/ids';
import type { Outcome } from '../../../contract/outcome';
import { fail, ok, type Result } from '../../../contract/result';
import { isOfficeFile } from '../../../contract/shared/office';
import { optional } from '../../../contract/shared/optional';
import { because, type Reason } from '../../../contract/shared/reasons';
import type { CommandSandbox, EnteredSandbox, SandboxReport } from '../../../harness';
import {
  type Availability,
  type Choice,
  chosenChanges,
  type Ended,
  type KeepResult,
  LayerChanged,
  type Manifest,
  type RehearsalRun,
} from '../../../harness/sandbox/rehearsal';
import type { Storage } from '../../../storage';
import type { AgentAuthor } from '../../../storage/file-changes';
import type { Sandboxes } from '../access/sandboxes';
import type { ChangeLog } from '../changes/change-log';
import { withHunks } from '../chosen-hunks';
import { documentDiff } from '../document-text';
import { type KeptPaths, type LayerRecord, LayerRecords } from './layer-records';
import { isShown, withConflicts } from './outcome-conflicts';
import { outcomeOf, textSides } from './outcome-of';
import type { RehearsalEngine } from './rehearsal-engine';
import { whyNotKept } from './why-not-kept';

/** Maximum number of diff lines shown. */
const MAX_LINES = 2_000;
/** Maximum bytes per side of a compared file. */
const MAX_COMPARED = 1024 * 1024;
/** What can be undone below one kept `.git` or ignored folder. More would delay the keep for too long. */
export const UNDONE = { files: 20_000, bytes: 256 * 1024 * 1024 };
/** Milliseconds: the terminal enforces a command's timeout. */
const NO_LIMIT = MAX_TIMER;

type KeepDecision = Pick<Extract<Decision, { type: 'keep' }>, 'paths' | 'except' | 'hunks'>;

/** How many of the changed paths are files or links. */
function filesAmong(paths: readonly string[], { changes }: Manifest): number {
  const wanted = new Set(paths);
  return changes.filter(({ path, before, after }) => wanted.has(path) && (after ?? before)?.type !== 'folder')
    .length;
}

/** The result of a call's command, as the tool reports it. */
export interface CommandResult {
  content: string;
  exitCode: number | null;
  timedOut: boolean;
}

export type KeepAnswer =
  | ({ status: 'kept'; result: LayerRecord['result'] } & KeptPaths)
  /** Nothing was kept: the conflicting rows are marked now. */
  | { status: 'conflict'; outcome: Outcome }
  /** The system refused before anything was in the folder: the outcome says so now. */
  | { status: 'failed'; outcome: Outcome }
  | { status: 'lost' };

interface Parts {
  /** Null if rehearsals are disabled. */
  engine: RehearsalEngine | null;
  storage: Pick<Storage, 'threads' | 'approvals'>;
  changeLog: Pick<ChangeLog, 'around'>;
  sandboxes: Pick<Sandboxes, 'optionsOf' | 'detected'>;
  dataDir: string;
  /** Stops the terminals of a call. */
  endCommand: (threadId: ThreadId, callId: string) => void;
}

const WHY_UNFIT = {
  rename: because('renames_folder_in_layer'),
  owner: because('other_owner_in_layer'),
  attributes: because('sets_attributes_in_layer'),
  mode: because('sets_folder_mode_in_layer'),
} as const;

/** Why none is even tried. */
interface NotTried {
  available: false;
  reason: 'remote' | 'turned_off';
  detail?: undefined;
}

/** Commands that run in throwaway layers, and the decisions on their changes. */
export class Rehearsals {
  private readonly records: LayerRecords;
  private readonly layersFolder: string;
  /** The last requested rehearsal of each thread. */
  private readonly last = new Map<ThreadId, Promise<unknown>>();
  /** Finished runs that nobody has collected yet, by thread and call; or the reason for a failure. */
  private readonly ended = new Map<string, RehearsalRun | string>();

  constructor(private readonly parts: Parts) {
    const folder = join(parts.dataDir, 'rehearsals');
    this.layersFolder = join(folder, 'layers');
    this.records = new LayerRecords(join(folder, 'records'));
  }

  /** Whether a project's commands can run in a layer: tried once per folder. */
  async availability({
    folder,
    remote,
  }: Pick<Project, 'folder' | 'remote'>): Promise<Availability | NotTried> {
    const { engine, sandboxes } = this.parts;
    if (remote !== undefined) return { available: false, reason: 'remote' };
    if (engine === null) return { available: false, reason: 'turned_off' };
    return engine.canRehearse(folder, this.layersFolder, await sandboxes.detected());
  }

  /**
   * Runs a call's command in a layer, one at a time per thread: a layer must not change under another. `finish` returns the
   * outcome.
   */
  sandboxFor(project: Project, threadId: ThreadId, signal: AbortSignal): CommandSandbox {
    return {
      enter: async (request) => {
        const { callId = '' } = request;
        const entered = deferred<EnteredSandbox>();
        const over = deferred<Ended>();
        const run = this.inTurn(threadId, () =>
          this.start(project, threadId, signal, async (sandbox, stop) => {
            stop.addEventListener('abort', () => this.parts.endCommand(threadId, callId), { once: true });
            const { access: _, ...inLayer } = request;
            const box = await sandbox.enter(inLayer);
            entered.resolve(box);
            return over.promise;
          }),
        );
        // If it fails before anything runs, `enter` rejects.
        run.catch(entered.reject);
        const box = await entered.promise;
        return {
          inLayer: true,
          wrap: (program) => box.wrap(program),
          leave: async (end) => {
            const report = await box.leave(end);
            const { output, exitCode = null, durationMs } = end;
            over.resolve({ output, exitCode, ...optional({ durationMs }) });
            return this.left(keyOf(threadId, callId), run, report);
          },
        };
      },
    };
  }

  /**
   * The changes of a call's command; `failed`: why there are none. Saved before this returns. `redact`: removes secrets from
   * what the command printed.
   */
  async finish(
    threadId: ThreadId,
    callId: string,
    ran: CommandResult,
    redact: (text: string) => string,
  ): Promise<{ outcome: Outcome } | { failed: Reason }> {
    const { engine } = this.need();
    const run = this.ended.get(keyOf(threadId, callId));
    this.ended.delete(keyOf(threadId, callId));
    if (run === undefined || typeof run === 'string')
      return { failed: because('failed_with', { text: run ?? ran.content }) };
    const { manifest, unfit } = run;
    if (unfit !== undefined) {
      await engine.discard(manifest);
      return { failed: WHY_UNFIT[unfit] };
    }
    const limited = ran.timedOut && run.limit === undefined ? { ...run, limit: 'time' as const } : run;
    const { content, exitCode } = ran;
    const told = { exitCode, output: redact(run.output) };
    const outcome = await outcomeOf(limited, told, engine.rowsOf(manifest), (path) =>
      engine.readChange(manifest, path, MAX_COMPARED),
    );
    await this.records.write(threadId, callId, { outcome, result: { content, exitCode } });
    return { outcome };
  }

  /** Removes a layer whose command was interrupted before `finish`. */
  async abandon(threadId: ThreadId, callId: string): Promise<void> {
    const run = this.ended.get(keyOf(threadId, callId));
    this.ended.delete(keyOf(threadId, callId));
    if (run !== undefined && typeof run !== 'string') await this.parts.engine?.discard(run.manifest);
  }

  /** The command's output as the model gets it. */
  async resultOf(threadId: ThreadId, callId: string): Promise<LayerRecord['result'] | null> {
    return (await this.records.read(threadId, callId))?.result ?? null;
  }

  /** Applies a command's changes and records them as the agent's. `paths` and `hunks` absent: all of them. */
  async keep(
    project: Project,
    callId: string,
    author: AgentAuthor,
    decision: KeepDecision,
  ): Promise<KeepAnswer> {
    const { engine } = this.need();
    const { threadId } = author;
    const record = await this.records.read(threadId, callId);
    if (record === null) return { status: 'lost' };
    const { outcome, result, kept } = record;
    // A kill happened between the keep and its result.
    if (kept !== undefined) return { status: 'kept', result, ...kept };
    const manifest = await engine.readManifest(this.layersFolder, outcome.layer);
    if (manifest === null || manifest.hash !== outcome.manifest) return { status: 'lost' };
    const choice = await this.choiceOf(manifest, outcome, decision);
    const named = chosenChanges(manifest, choice).map(({ path }) => path);
    const conflicts = (await engine.conflictsIn(manifest)).filter(({ path }) => named.includes(path));
    if (conflicts.some((one) => !isShown(one, outcome))) {
      const marked = withConflicts(outcome, manifest, conflicts);
      await this.records.write(threadId, callId, { ...record, outcome: marked });
      return { status: 'conflict', outcome: marked };
    }
    const answerOf = ({ kept: paths }: KeepResult) => ({
      paths,
      isAll: paths.length >= manifest.changes.length && choice.hunks === undefined,
      files: filesAmong(paths, manifest),
    });
    // Before the layer forgets it: after a kill, nobody is asked about what is in the folder.
    const applied = (done: KeepResult) =>
      this.records.write(threadId, callId, { ...record, kept: answerOf(done) });
    const done = await this.parts.changeLog
      .around(project, { author, named, isCommand: false, limits: UNDONE }, () =>
        engine.keep(manifest, choice, { applied }),
      )
      .catch((error: unknown) => whyNotKept(error, manifest));
    if (done === null) return { status: 'lost' };
    if (typeof done === 'string') {
      const notKept = { at: Date.now(), code: done };
      return { status: 'failed', outcome: { ...outcome, notKept } };
    }
    if (done.kept.length === 0) await applied(done);
    return { status: 'kept', result, ...answerOf(done) };
  }

  /** Deletes a command's changes, or what is left of them after a keep. */
  async discard(threadId: ThreadId, callId: string): Promise<void> {
    const record = await this.records.read(threadId, callId);
    if (record === null) return;
    const { engine } = this.need();
    // Also what is left of a layer that is lost.
    await engine.discard({ place: join(this.layersFolder, record.outcome.layer) });
    await this.records.remove(threadId, callId);
  }

  /** The paths that a waiting call changes; null if its layer is gone. */
  async changedPaths({ threadId, callId }: Approval): Promise<string[] | null> {
    const layer = (await this.records.read(threadId, callId))?.outcome.layer;
    if (layer === undefined) return null;
    const manifest = await this.need().engine.readManifest(this.layersFolder, layer);
    return manifest?.changes.map(({ path }) => path) ?? null;
  }

  /** Errors: `not_found` if the layer is gone or has no such path. */
  async diff(
    { threadId, callId }: Approval,
    path: string,
    signal: AbortSignal,
  ): Promise<Result<Output<'rehearsal.diff'>>> {
    const { engine } = this.parts;
    const record = await this.records.read(threadId, callId);
    const layer = record?.outcome.layer;
    const manifest =
      engine === null || layer === undefined ? null : await engine.readManifest(this.layersFolder, layer);
    const change = manifest?.changes.find((one) => one.path === path);
    if (engine === null || manifest === null || change === undefined) return fail('not_found', 'layer_gone');
    const none = (kind: Output<'rehearsal.diff'>['kind']) => ok({ kind, hunks: [], cut: false });
    if (change.before?.type === 'link' || change.after?.type === 'link') return none('link');
    const limit = isOfficeFile(path) ? MAX_DOCUMENT : MAX_COMPARED;
    const read = await engine.readChange(manifest, path, limit).catch(unlessChanged);
    if (read === null) return none('lost');
    if (read.tooLarge) return none('too_large');
    const sides = textSides(read);
    if (sides === null) {
      const { before = new Uint8Array(), after = new Uint8Array() } = read;
      const document = isOfficeFile(path) ? await documentDiff({ before, after }, MAX_LINES, signal) : null;
      return document === null ? none('binary') : ok({ kind: 'document', ...document });
    }
    if (sides.before === sides.after) return none('same');
    const { hunks, cut } = boundedDiff(sides.before, sides.after, MAX_LINES);
    return ok({ kind: 'text', hunks, cut });
  }

  /** After `recover`: how an interrupted keep ended. Null if the layer has no record. */
  async keptOf({
    threadId,
    callId,
  }: Approval): Promise<'nothing' | Extract<KeepAnswer, { status: 'kept' }> | null> {
    const record = await this.records.read(threadId, callId);
    if (record === null) return null;
    const { kept, result } = record;
    return kept === undefined ? 'nothing' : { status: 'kept', result, ...kept };
  }

  /** At startup: finishes what a kill interrupted, and removes layers without a pending approval. */
  async recover(): Promise<void> {
    const { engine, storage } = this.parts;
    if (engine === null) return;
    await engine.recoverKeeps(this.layersFolder, (keep) => this.records.recovered([keep]));
    const asked = storage.threads
      .unfinished()
      .flatMap((id) => [
        ...storage.approvals.waiting(id),
        ...storage.approvals.taken(id).map(({ approval }) => approval),
      ]);
    const layers = new Set(asked.flatMap(({ outcome }) => outcome?.layer ?? []));
    await engine.sweep(this.layersFolder, layers);
    await this.records.sweep(layers);
  }

  private need() {
    const { engine } = this.parts;
    if (engine === null) throw new Error('Commands are not rehearsed here.');
    return { engine };
  }

  private start(
    project: Project,
    threadId: ThreadId,
    signal: AbortSignal,
    run: Parameters<RehearsalEngine['rehearse']>[0]['run'],
  ): Promise<RehearsalRun> {
    const { engine } = this.need();
    const sandbox = this.parts.sandboxes.optionsOf(project, threadId);
    if (sandbox === null) throw new Error('There is no sandbox here.');
    const { layersFolder } = this;
    const limits = { time: NO_LIMIT };
    return engine.rehearse({ sandbox, layersFolder, layer: randomUUID(), limits, signal, run });
  }

  /** The command has finished: determine its changes. */
  private async left(key: string, run: Promise<RehearsalRun>, report: SandboxReport): Promise<SandboxReport> {
    try {
      const done = await run;
      this.ended.set(key, done);
      return { ...report, refused: [...done.refused] };
    } catch (error) {
      // The folder is unchanged: the call can be judged without a layer.
      this.ended.set(key, error instanceof Error ? error.message : String(error));
      return report;
    }
  }

  /** Writes only whole texts: if all hunks of a file are kept, the layer's version is used. */
  private async choiceOf(
    manifest: Manifest,
    { rows }: Outcome,
    { paths, except, hunks = {} }: KeepDecision,
  ): Promise<Choice> {
    const { engine } = this.need();
    const texts: Record<string, string> = {};
    for (const [path, chosen] of Object.entries(hunks)) {
      if (!rows.some((row) => row.path === path)) continue;
      const sides = textSides(await engine.readChange(manifest, path, MAX_COMPARED));
      if (sides === null) continue;
      const diff = boundedDiff(sides.before, sides.after);
      if (chosen.length < diff.hunks.length)
        texts[path] = withHunks(sides.before, diff.hunks, new Set(chosen));
    }
    return {
      ...optional({ paths, except }),
      ...(Object.keys(texts).length === 0 ? {} : { hunks: texts }),
    };
  }

  private inTurn<T>(threadId: ThreadId, work: () => Promise<T>): Promise<T> {
    const done = (this.last.get(threadId) ?? Promise.resolve()).then(work, work);
    this.last.set(threadId, done);
    const forget = () => {
      if (this.last.get(threadId) === done) this.last.delete(threadId);
    };
    done.then(forget, forget);
    return done;
  }
}

/** Null if the layer has changed since its command ended; such a layer is lost. */
function unlessChanged(error: unknown): null {
  if (error instanceof LayerChanged) return null;
  throw error;
}

const keyOf = (threadId: ThreadId, callId: string) => `${threadId}\n${callId}`;
