import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseJson } from '../base/limited-json';
import { Reason } from '../contract/shared/reasons';
import type { UpdateState, UpdateView, UpdateWay } from '../contract/updates';
import type { Apply } from './engine';
import { fileFor, isNewer, verifiedFeed } from './feed';
import { problem } from './problem';
import { isLeftover, replaceable } from './replace-app';
import { fetchFeed, PATIENCE, type Patience, problemOf } from './request';

/** Where new versions come from. */
export interface UpdateSource {
  /** The address of the folder with the feed and the packages; it ends with a slash. */
  feed: string;
  /** The public Ed25519 key that signs the feed: SPKI, DER, base64. */
  key: string;
}

export interface UpdatesOptions {
  way: UpdateWay;
  /** Null: there are no updates. */
  source: UpdateSource | null;
  version: string;
  platform: string;
  arch: string;
  /** The folder for downloads. */
  folder: string;
  /** The AppImage that runs; null: another kind of package. */
  appImage: string | null;
  configFile: string;
  patience?: Patience;
}

interface Surroundings {
  /** The switch in the settings. */
  isOn: boolean;
  /** The date of the newest feed that was accepted, in milliseconds; 0: none. */
  seen: () => number;
  see: (date: number) => void;
  onChange: (view: UpdateView) => void;
  report: (error: unknown) => void;
}

/** Milliseconds from the start to the first check, and between two. */
const FIRST_CHECK = 60_000;
const CHECK_EVERY = 24 * 60 * 60 * 1_000;

/** New versions of the app: checked, downloaded, and applied when the app quits. */
export class Updates {
  private state: UpdateState = { phase: 'idle' };
  private isOn: boolean;
  private running: { abort: AbortController; done: Promise<void> } | null = null;
  private apply: Apply | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: UpdatesOptions,
    private readonly around: Surroundings,
  ) {
    this.isOn = around.isOn;
  }

  get view(): UpdateView {
    return { way: this.options.way, state: this.state };
  }

  /** Checks automatically from now on, and reports why the last update was not installed. */
  async schedule(): Promise<void> {
    if (this.options.source === null) return;
    const next = (after: number) => {
      this.timer = setTimeout(() => {
        this.check();
        next(CHECK_EVERY);
      }, after);
      this.timer.unref();
    };
    next(FIRST_CHECK);
    const why = await this.takeNote();
    if (why !== null && this.state.phase === 'idle') this.become({ phase: 'failed', why });
  }

  /** The person turned the switch. Off also discards what was downloaded. */
  switched(isOn: boolean): void {
    this.isOn = isOn;
    if (isOn) return;
    this.running?.abort.abort();
    this.apply = null;
    if (this.running === null) this.become({ phase: 'idle' });
  }

  /** Starts a check, unless one is running, a version is ready, or updates are off. */
  check(): void {
    const { source } = this.options;
    if (source === null || !this.isOn || this.running !== null || this.apply !== null) return;
    const abort = new AbortController();
    this.become({ phase: 'checking' });
    const done = this.find(source, abort.signal)
      .then((state) => (abort.signal.aborted ? ({ phase: 'idle' } as const) : state))
      .catch((error: unknown): UpdateState => {
        if (abort.signal.aborted) return { phase: 'idle' };
        this.around.report(error);
        return { phase: 'failed', why: problemOf(error).reason };
      })
      .then((state) => {
        this.running = null;
        if (state.phase !== 'ready') this.apply = null;
        this.become(state);
      });
    this.running = { abort, done };
  }

  async cancel(): Promise<void> {
    this.running?.abort.abort();
    await this.running?.done;
  }

  /** Resolves when nothing is running. */
  async settled(): Promise<void> {
    await this.running?.done;
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.cancel();
  }

  /** Installs what is ready; the last step of quitting. Never throws. */
  applyNow(): void {
    const apply = this.apply;
    this.apply = null;
    if (apply === null || !this.isOn) return;
    try {
      apply();
    } catch (error) {
      this.around.report(error);
      this.leaveNote(problemOf(error).reason);
    }
  }

  /** For the next start: nobody sees the window of an app that has quit. */
  private leaveNote(why: Reason): void {
    try {
      mkdirSync(this.options.folder, { recursive: true, mode: 0o700 });
      writeFileSync(this.note, JSON.stringify(why));
    } catch (error) {
      this.around.report(error);
    }
  }

  private async takeNote(): Promise<Reason | null> {
    try {
      const parsed = parseJson(await readFile(this.note, 'utf8'), { maxBytes: 10_000 });
      await rm(this.note, { force: true });
      return Reason.nullable()
        .catch(null)
        .parse('value' in parsed ? parsed.value : null);
    } catch {
      return null;
    }
  }

  private get note(): string {
    return join(this.options.folder, 'not-installed.json');
  }

  private become(state: UpdateState): void {
    this.state = state;
    this.around.onChange(this.view);
  }

  private async find(source: UpdateSource, signal: AbortSignal): Promise<UpdateState> {
    const { version, platform, arch, folder, appImage, patience = PATIENCE } = this.options;
    const { bytes, signature } = await fetchFeed(source.feed, { signal, patience });
    const now = Date.now();
    const feed = verifiedFeed(bytes, signature, { key: source.key, now, seen: this.around.seen() });
    this.around.see(Date.parse(feed.date));
    if (!isNewer(feed.version, version)) {
      await this.sweep().catch(this.around.report);
      return { phase: 'current', checkedAt: now };
    }
    const file = fileFor(feed, platform, arch);
    if (file === undefined) throw problem('update_not_for_system', { version: feed.version });
    if (appImage !== null) replaceable(appImage);
    this.become({ phase: 'downloading', version: feed.version, percent: 0 });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Loaded only where there is something to download.
    const { downloadVerified } = await import('./engine');
    const apply = await downloadVerified(
      { ...this.options, patience },
      { feed, file, url: new URL(file.name, source.feed) },
      { signal, onProgress: (percent) => this.progress(feed.version, percent) },
    );
    if (!signal.aborted) this.apply = apply;
    return { phase: 'ready', version: feed.version, notes: feed.notes, restarts: appImage !== null };
  }

  private progress(version: string, percent: number): void {
    if (this.state.phase === 'downloading' && this.state.percent === percent) return;
    this.become({ phase: 'downloading', version, percent });
  }

  /** Removes what an earlier update left. */
  private async sweep(): Promise<void> {
    const { folder, appImage } = this.options;
    await rm(folder, { recursive: true, force: true });
    if (appImage === null) return;
    const app = await realpath(appImage);
    for (const name of await readdir(dirname(app)))
      if (isLeftover(app, name)) await rm(join(dirname(app), name), { force: true });
  }
}
