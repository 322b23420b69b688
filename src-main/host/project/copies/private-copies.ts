import { randomUUID } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isBelow } from '../../../base/is-below';
import { isObeyed } from '../../../base/protected-paths';
import type { Difference, Differences } from '../../../changes/copies';
import type { Project } from '../../../contract/app';
import { boundedDiff } from '../../../contract/bounded-diff';
import type { Output } from '../../../contract/commands';
import type { BroughtIn, CopyDifference } from '../../../contract/copies';
import { CallId, ProjectId, type ThreadId } from '../../../contract/ids';
import { fail, ok, type Result } from '../../../contract/result';
import { isOfficeFile } from '../../../contract/shared/office';
import type { Storage } from '../../../storage';
import type { Hub } from '../../window/hub';
import type { ChangeLog } from '../changes/change-log';
import { MAX_COUNTED_FILES, uncountedOf } from '../counted-files';
import { documentBetween } from '../document-text';
import { onThisComputer } from '../mount-paths';
import { mountOf } from '../mounts';
import type { ProjectRegistry } from '../projects';
import { bringInAll } from './bring-in';
import {
  type ChosenParts,
  type ChosenStep,
  digestOf,
  isFolderFor,
  kindOf,
  mergedBesideConflicts,
  relevant,
  resolve,
  shownTexts,
  stepOf,
} from './copy-choices';
import { CopyStore } from './copy-store';

/** Maximum number of files in the list; the rest are only counted. */
const MAX_LISTED = 1_000;
/** Maximum number of diff lines shown. */
const MAX_LINES = 4_000;
type FileDiff = Pick<Output<'copies.file'>, 'hunks' | 'cut'>;
/** Milliseconds between two reports of progress. */
const REPORT_EVERY = 150;

type Left = BroughtIn['left'];

interface Options {
  storage: Storage;
  hub: Hub;
  projects: ProjectRegistry;
  changeLog: Pick<ChangeLog, 'around'>;
  dataDir: string;
}

/** Private copies of folders: each is a project of its own, whose changes are brought into the folder or thrown away. */
export class PrivateCopies {
  private readonly store: CopyStore;
  /** Ids of copies that the cleanup at startup leaves, and those made since. */
  private readonly kept = new Set<string>();
  private readonly opened = new Map<ProjectId, Differences>();
  private readonly last = new Map<ProjectId, Promise<unknown>>();
  private readonly making = new Map<ProjectId, { stop: AbortController; done: Promise<unknown> }>();

  constructor(private readonly options: Options) {
    this.store = new CopyStore(join(options.dataDir, 'private-copies'));
  }

  async measure(projectId: ProjectId, signal: AbortSignal): Promise<Result<Output<'copies.measure'>>> {
    const project = await this.original(projectId);
    if (!project.ok) return project;
    const { measureCopy } = await import('../../../changes/copies');
    const { own, ignored, clones, free } = await measureCopy(project.value.folder, this.store.folder, signal);
    return ok({ own, ignored, method: clones ? 'clone' : 'copy', free });
  }

  /** Errors: `cancelled`, `storage` if the disk is full, `conflict` while one is being made of the same folder. */
  async make(
    projectId: ProjectId,
    ignored: boolean,
    signal: AbortSignal,
  ): Promise<Result<Output<'copies.make'>>> {
    const found = await this.original(projectId);
    if (!found.ok) return found;
    if (this.making.has(projectId)) return fail('conflict', 'copy_being_made');
    const stop = new AbortController();
    const done = this.makeOrRemove(found.value, ignored, AbortSignal.any([signal, stop.signal]));
    this.making.set(projectId, { stop, done });
    try {
      return await done;
    } finally {
      this.making.delete(projectId);
    }
  }

  /** Stops the copies being made, and waits for everything that was started. */
  async close(): Promise<void> {
    const making = [...this.making.values()];
    for (const { stop } of making) stop.abort();
    await Promise.allSettled([...making.map(({ done }) => done), ...this.last.values()]);
  }

  /** What the copy changed, compared with the folder. */
  changes(projectId: ProjectId, signal?: AbortSignal): Promise<Result<Output<'copies.changes'>>> {
    return this.inTurn(projectId, async () => {
      const opened = await this.open(projectId);
      if (!opened.ok) return opened;
      const { differences } = opened.value;
      const all = relevant(await differences.list(signal));
      const files: CopyDifference[] = [];
      for (const one of all.slice(0, MAX_LISTED)) {
        const text = files.length < MAX_COUNTED_FILES ? await shownTexts(one, differences) : null;
        const counts = text && boundedDiff(text.before, text.after, 0);
        files.push({
          path: one.path,
          change: kindOf(one),
          state: one.outcome === 'conflict' || one.outcome === 'merge' ? one.outcome : 'take',
          ...(isObeyed(one.path) ? { obeyed: true } : {}),
          added: counts?.added ?? null,
          removed: counts?.removed ?? null,
        });
      }
      return ok({ files, more: all.length - files.length, ...uncountedOf(files.length) });
    });
  }

  /** Errors: `not_found` if the copy did not change that file. */
  file(projectId: ProjectId, path: string, signal: AbortSignal): Promise<Result<Output<'copies.file'>>> {
    return this.inTurn(projectId, async () => {
      const opened = await this.open(projectId);
      if (!opened.ok) return opened;
      const { differences, copy, original } = opened.value;
      const one = await differences.at(path);
      const digest = digestOf(one);
      const isConflict = one.outcome === 'conflict';
      const none = (kind: Output<'copies.file'>['kind'], diff: FileDiff = { hunks: [], cut: false }) =>
        ok({ kind, ...diff, isConflict, conflicts: [], digest });
      if (one.folder.type === 'link' || one.copy.type === 'link') return none('link');
      const conflicts = (one.parts ?? []).flatMap((part) =>
        'conflict' in part
          ? [
              {
                line: part.at + 1,
                base: part.conflict.base.join(''),
                folder: part.conflict.folder.join(''),
                copy: part.conflict.copy.join(''),
              },
            ]
          : [],
      );
      const texts = await (conflicts.length > 0 ? mergedBesideConflicts : shownTexts)(one, differences);
      if (texts === null) {
        const folders = { before: original.folder, after: copy.folder };
        const document = isOfficeFile(path) ? await documentBetween(folders, path, MAX_LINES, signal) : null;
        return document === null ? none('binary') : none('document', document);
      }
      if (texts.before === texts.after && conflicts.length === 0) return none('same');
      const { hunks, cut } = boundedDiff(texts.before, texts.after, MAX_LINES);
      return ok({ kind: 'text', hunks, cut, isConflict, conflicts, digest });
    });
  }

  /** Merges the changes into the folder, all or nothing, and never over newer changes. */
  bringIn(
    projectId: ProjectId,
    threadId: ThreadId,
    choice: { paths?: readonly string[] | undefined; parts?: ChosenParts | undefined },
  ): Promise<Result<BroughtIn>> {
    return this.inTurn(projectId, async () => {
      const opened = await this.open(projectId);
      if (!opened.ok) return opened;
      const { differences, copy, original } = opened.value;
      await this.store.finishOne(projectId);
      const chosen = await this.choose(differences, choice);
      if (!chosen.ok) return chosen;
      const { steps, accepted, left } = chosen.value;
      const listed = new Set(relevant(steps.map(({ difference }) => difference)).map(({ path }) => path));
      const place = {
        folder: original.folder,
        copy: copy.folder,
        layersFolder: this.store.layersOf(projectId),
      };
      const callId = CallId.parse(randomUUID());
      const author = { by: 'agent', threadId, callId, agent: null, tool: 'bring_in' } as const;
      const done = await bringInAll(steps, place, (named, work) =>
        this.options.changeLog.around(original, { author, named, isCommand: false }, work),
      );
      if (!done.ok) return done;
      const applied = done.value;
      const brought = new Set(applied.kept);
      const whole = steps.filter(({ partial }) => partial !== true).map(({ difference }) => difference);
      const before = await differences.accept([
        ...whole.filter(({ path }) => brought.has(path)),
        ...accepted,
      ]);
      await this.store.saveAccepted(projectId, callId, before);
      return ok({
        brought: applied.kept.filter((path) => listed.has(path)),
        left: [...left, ...applied.left.filter(({ path }) => listed.has(path))],
        callId: applied.kept.length === 0 ? null : callId,
      });
    });
  }

  /** The changes of a bring-in that was undone in the folder are differences again. */
  async broughtBack(projectId: ProjectId, callId: string): Promise<void> {
    await this.inTurn(projectId, async () => {
      const opened = await this.open(projectId);
      if (opened.ok) opened.value.differences.restore(await this.store.accepted(projectId, callId));
    });
  }

  /** Number of changed files that the folder lacks. */
  async missing(projectId: ProjectId): Promise<Result<number>> {
    const changes = await this.changes(projectId);
    return changes.ok ? ok(changes.value.files.length + changes.value.more) : changes;
  }

  /** Removes the copy from the disk; its project remains for the threads. */
  throwAway(projectId: ProjectId): Promise<Result<Record<string, never>>> {
    return this.inTurn(projectId, async () => {
      const { projects } = this.options;
      const found = projects.get(projectId);
      if (!found.ok) return found;
      const { copy } = found.value;
      if (copy === undefined) return fail('invalid', 'not_a_copy');
      projects.change({ ...found.value, missing: true, copy: { ...copy, gone: true } });
      await this.remove(projectId);
      await projects.checkFolder(projectId);
      return ok({});
    });
  }

  /** At startup, before anybody can use a copy. */
  finishInterrupted(): Promise<void> {
    return this.store.finishInterrupted();
  }

  /** At startup: removes copies that are incomplete or without threads. */
  async removeUnused(): Promise<void> {
    const { sweep } = await import('../../../harness/sandbox/rehearsal');
    const { storage } = this.options;
    for (const { id, isReady } of await this.store.all()) {
      const known = ProjectId.safeParse(id);
      const project = known.success ? storage.projects.get(known.data) : null;
      if (!isReady || project?.copy?.gone === true) continue;
      // Without an entry in the database, which may have been restored from a backup, nobody can tell what it holds.
      if (project === null || storage.threads.hasAny(project.id)) this.kept.add(id);
      else storage.projects.remove(project.id, Date.now());
    }
    await sweep(this.store.folder, this.kept);
  }

  private async original(projectId: ProjectId): Promise<Result<Project>> {
    const project = await this.options.projects.present(projectId);
    if (!project.ok) return project;
    if (project.value.copy !== undefined) return fail('invalid', 'copy_of_copy');
    const here = onThisComputer(project.value);
    if (!here.ok) return here;
    return isBelow(this.options.dataDir, project.value.folder)
      ? fail('unsupported', 'copy_contains_data', { folder: project.value.folder })
      : project;
  }

  private async makeOrRemove(
    project: Project,
    ignored: boolean,
    signal: AbortSignal,
  ): Promise<Result<Output<'copies.make'>>> {
    const id = ProjectId.parse(randomUUID());
    this.kept.add(id);
    const { folder } = project;
    try {
      return await this.makeOf(project, id, ignored, signal);
    } catch (error) {
      await this.remove(id);
      if (signal.aborted) return fail('cancelled', 'cancelled');
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (code === '') throw error;
      return code === 'ENOSPC' || code === 'EDQUOT'
        ? fail('storage', 'copy_disk_full', { folder })
        : fail('storage', 'copy_not_made', { folder }, String(error));
    }
  }

  private async makeOf(
    project: Project,
    id: ProjectId,
    ignored: boolean,
    signal: AbortSignal,
  ): Promise<Result<Output<'copies.make'>>> {
    const { projects, hub, storage } = this.options;
    const { makeCopy, measureCopy } = await import('../../../changes/copies');
    const place = this.store.placeOf(id);
    const { clones } = await measureCopy(project.folder, this.store.folder, signal);
    await mkdir(place, { mode: 0o700 });
    let told = 0;
    const { skipped } = await makeCopy({
      from: project.folder,
      to: join(await realpath(place), basename(project.folder)),
      place,
      ignored,
      signal,
      onProgress: ({ files, bytes }) => {
        if (performance.now() - told < REPORT_EVERY) return;
        told = performance.now();
        hub.app({ type: 'copies.progress', projectId: project.id, files, bytes });
      },
    });
    const folder = await realpath(join(place, basename(project.folder)));
    const number = storage.projects.copiesOf(project.id).length + 1;
    const { inode: _, rank: __, ...own } = project;
    projects.change({
      ...own,
      id,
      name: `${project.name} · ${number}`,
      folder,
      mount: mountOf(folder, process.platform),
      isSample: false,
      missing: false,
      replaced: false,
      copy: { of: project.id, madeAt: Date.now(), method: clones ? 'clone' : 'copy', ignored },
    });
    await this.store.complete(id);
    const made = await projects.checkFolder(id);
    return made.ok ? ok({ project: made.value, skipped }) : made;
  }

  private async open(
    projectId: ProjectId,
  ): Promise<Result<{ copy: Project; original: Project; differences: Differences }>> {
    const copy = await this.options.projects.present(projectId);
    if (!copy.ok) return copy;
    const of = copy.value.copy?.of;
    if (of === undefined) return fail('invalid', 'not_a_copy');
    const original = await this.options.projects.present(of);
    if (!original.ok) return original;
    let differences = this.opened.get(projectId);
    // The folder may have been attached at a new place.
    if (differences?.folder !== original.value.folder) {
      const { Differences } = await import('../../../changes/copies');
      const { folder } = copy.value;
      differences = new Differences(original.value.folder, folder, this.store.placeOf(projectId));
      this.opened.set(projectId, differences);
    }
    return ok({ copy: copy.value, original: original.value, differences });
  }

  /** The steps for what was chosen, the paths to accept without a change, and those that are left out. */
  private async choose(
    differences: Differences,
    { paths, parts = {} }: { paths?: readonly string[] | undefined; parts?: ChosenParts | undefined },
  ): Promise<Result<{ steps: ChosenStep[]; accepted: Difference[]; left: Left }>> {
    const wanted = paths && new Set(paths);
    const steps: ChosenStep[] = [];
    const accepted: Difference[] = [];
    const left: Left = [];
    for (const difference of await differences.list()) {
      const { path, outcome } = difference;
      if (wanted !== undefined && !wanted.has(path) && !isFolderFor(difference, wanted)) continue;
      const own = Object.hasOwn(parts, path) ? parts[path] : undefined;
      if (own !== undefined && own.digest !== digestOf(difference))
        return fail('stale', 'copy_changed_since_shown', { path });
      if (outcome === 'done') accepted.push(difference);
      else if (outcome === 'conflict') {
        const resolved = await resolve(difference, own?.sides ?? []);
        if (resolved === 'folder') accepted.push(difference);
        else if (resolved === null) left.push({ path, reason: 'conflict' });
        else steps.push(resolved);
      } else steps.push(await stepOf(difference, differences, own?.hunks));
    }
    return ok({ steps, accepted, left });
  }

  private async remove(projectId: ProjectId): Promise<void> {
    this.opened.delete(projectId);
    const { discard } = await import('../../../harness/sandbox/rehearsal');
    await discard({ place: this.store.placeOf(projectId) });
  }

  private inTurn<T>(projectId: ProjectId, work: () => Promise<T>): Promise<T> {
    const done = (this.last.get(projectId) ?? Promise.resolve()).then(work, work);
    this.last.set(projectId, done);
    return done;
  }
}
