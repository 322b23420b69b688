import type { TerminalInfo } from '../contract/app';
import type { CallId, ProjectId, TerminalId, ThreadId } from '../contract/ids';
import { fail, ok, type Result } from '../contract/result';
import { optional } from '../contract/shared/optional';
import { Keeper } from './keeper';
import { endMarked } from './process-tree';
import { commandProgram, type Program, personProgram, programName, startPty } from './pty';
import { renamed, Session } from './session';
import { markShell, type ShellFiles, writeShellFiles } from './shell-marks';
import type { TerminalStore } from './store';

/** Milliseconds between SIGTERM and SIGKILL when a person or the app ends a terminal. */
const GRACE = 500;
/** Terminals that have ended and are still listed; the oldest go first, unless somebody looks at them. */
const KEEP_ENDED = 100;
const SIZE = { least: 2, most: 1_000 };
const VIEWER = 'window';

export interface TerminalSessionsOptions {
  now(): number;
  /** Unique among all runs of the app: processes are found by it after a crash. */
  newId(): TerminalId;
  onChanged(info: TerminalInfo): void;
  onRemoved(id: TerminalId): void;
  /** Output of a terminal that somebody is attached to; `offset` in UTF-16 units since it began. */
  onData(id: TerminalId, offset: number, data: string): void;
  /** Absolute; a folder of our own for what shells read so that they mark their commands. Without it they mark nothing. */
  shellFolder?: string;
  store?: TerminalStore;
  /** The store failed; the terminal goes on without being kept. */
  onStoreError?(error: unknown): void;
}

export interface OpenRequest {
  kind: TerminalInfo['kind'];
  projectId: ProjectId;
  threadId: ThreadId | null;
  callId: CallId | null;
  /** True: a job of the agent, which goes on after the call that started it. */
  background?: boolean;
  /** The command line of an agent's terminal; ignored for a person's, which runs their shell. */
  command: string;
  /** What is run instead of the command line, which is only shown then. */
  script?: string;
  /** What is run in place of the program of an agent's command, so that it runs in the sandbox. */
  wrap?: (program: Program) => Program;
  /** Closed: an agent's command that reads finds the end of its input. Default: the person types. */
  stdin?: 'person' | 'closed';
  /** Absolute. */
  cwd: string;
  title?: string;
  /** What an earlier terminal printed: stands above what this one prints. */
  past?: string;
  /** Columns and rows, 2 to 1,000; 120 x 30 unless told. */
  cols?: number;
  rows?: number;
  /** The whole environment; only the terminal's own variables and defaults that avoid pagers are added. */
  env: Record<string, string>;
}

/** All terminals of the app: those that run, those that ended, and those kept from earlier runs. */
export class TerminalSessions {
  private readonly live = new Map<TerminalId, Session>();
  /** Ended ones whose output is only in the store. */
  private readonly old = new Map<TerminalId, TerminalInfo>();
  private readonly keeper: Keeper;
  private disposed = false;
  /** Resolves when what an earlier run was killed over has been ended. */
  readonly restored: Promise<void>;

  constructor(private readonly options: TerminalSessionsOptions) {
    this.keeper = new Keeper(options.store, (error) => options.onStoreError?.(error));
    this.restored = this.restore();
  }

  /** Resolves when shells of the person can be started so that they mark their commands, or never will be. */
  prepare(): Promise<void> {
    this.preparing ??= this.prepareShells();
    return this.preparing;
  }
  private preparing: Promise<void> | undefined;
  private shellFiles: ShellFiles | null = null;

  private async prepareShells(): Promise<void> {
    const { shellFolder } = this.options;
    if (shellFolder === undefined) return;
    // No room for these files is no reason to give the person no shell.
    this.shellFiles = await writeShellFiles(shellFolder).catch(() => null);
  }

  /**
   * Starts an agent's command or a person's shell in a terminal of its own; call `prepare` before the latter.
   * Errors: `invalid` size, `folder_gone`, `cancelled` while the app quits, `internal` where the system gives no pty.
   */
  open(request: OpenRequest): Result<Session> {
    if (this.disposed) return fail('cancelled', 'closing');
    const { cols = 120, rows = 30 } = request;
    if (!isSize(cols) || !isSize(rows)) return badSize();
    const id = this.options.newId();
    const isAgent = request.kind === 'agent';
    const { kind, projectId, threadId, callId, cwd, env, stdin = 'person' } = request;
    const { wrap } = request;
    const plain = isAgent ? commandProgram(request.script ?? request.command, stdin) : personProgram(env);
    const { shellFiles } = this;
    const marked = isAgent || shellFiles === null ? null : markShell(plain, env, shellFiles);
    const program = isAgent && wrap !== undefined ? wrap(plain) : plain;
    const run = marked?.program ?? program;
    const started = startPty({
      kind,
      program: run,
      stdin,
      cwd,
      env: { ...env, ...marked?.env },
      cols,
      rows,
      mark: id,
    });
    if (!started.ok) return started;
    const info: TerminalInfo = {
      id,
      kind,
      projectId,
      threadId,
      callId,
      command: isAgent ? request.command : programName(program),
      cwd,
      startedAt: this.options.now(),
      endedAt: null,
      exitCode: null,
      status: 'running',
      cols,
      rows,
      ...optional({ title: request.title }),
      ...(request.background ? { background: true } : {}),
      ...(program === plain ? {} : { sandboxed: true }),
      ...(marked === null ? {} : { marks: marked.mark }),
    };
    const session = new Session(
      info,
      started.value,
      this.options.now,
      {
        onData: (offset, data) => this.options.onData(id, offset, data),
        onRecorded: (record) => this.keeper.printed(id, record),
        onChanged: (changed) => this.changed(changed),
      },
      request.past,
    );
    this.live.set(id, session);
    this.changed(info);
    return ok(session);
  }

  /** Oldest first. */
  list(): TerminalInfo[] {
    const all = [...this.old.values(), ...[...this.live.values()].map((s) => s.info)];
    return all.sort((a, b) => a.startedAt - b.startedAt);
  }

  /**
   * What was printed so far (its last 2,000,000 units, beginning at `offset`); from now on `onData` is called for this
   * terminal. `viewer` tells windows apart where there are several. Errors: `not_found`.
   */
  attach(id: TerminalId, viewer = VIEWER): Result<{ terminal: TerminalInfo; offset: number; data: string }> {
    const session = this.live.get(id);
    if (session) return ok({ terminal: session.info, ...session.attach(viewer) });
    const terminal = this.old.get(id);
    if (!terminal) return notFound();
    return ok({ terminal, ...(this.options.store?.output(id) ?? { offset: 0, data: '' }) });
  }

  /** What was printed, as `attach` gives it, without looking on. Errors: `not_found`. */
  recorded(id: TerminalId): Result<{ offset: number; data: string }> {
    const session = this.live.get(id);
    if (session) return ok(session.recorded());
    if (!this.old.has(id)) return notFound();
    return ok(this.options.store?.output(id) ?? { offset: 0, data: '' });
  }

  /** The viewer looks no more, and holds nothing up. Unknown terminals are no error. */
  detach(id: TerminalId, viewer = VIEWER): void {
    this.live.get(id)?.detach(viewer);
    this.shelve(id);
  }

  /** A window went away: nothing waits for it any more. */
  detachAll(viewer = VIEWER): void {
    for (const id of this.live.keys()) this.detach(id, viewer);
  }

  /** The viewer has taken everything before `offset` for its screen. Without word of it a terminal is held up. */
  ack(id: TerminalId, offset: number, viewer = VIEWER): void {
    this.live.get(id)?.ack(viewer, offset);
  }

  /**
   * Types into the terminal. What is typed is kept nowhere, only what the terminal echoes. Typing into one that has ended
   * does nothing. Errors: `not_found`; `too_large` where the program reads nothing and a megabyte waits for it.
   */
  input(id: TerminalId, data: string): Result<Record<string, never>> {
    const session = this.live.get(id);
    if (session && !session.input(data)) {
      return fail('too_large', 'terminal_input_full');
    }
    return session || this.old.has(id) ? ok({}) : notFound();
  }

  /** Errors: `invalid` size, `not_found`. A terminal that has ended keeps its size. */
  resize(id: TerminalId, cols: number, rows: number): Result<Record<string, never>> {
    if (!isSize(cols) || !isSize(rows)) return badSize();
    return this.withKnown(id, (session) => {
      session.resize(cols, rows);
      this.changed(session.info);
    });
  }

  /** What is known of it; null where it is not. */
  get(id: TerminalId): TerminalInfo | null {
    return this.live.get(id)?.info ?? this.old.get(id) ?? null;
  }

  /** Where the words that it prints are relative to: the folder of its shell now, where that can be told. */
  folderOf(id: TerminalId): string | null {
    return this.live.get(id)?.folder ?? this.old.get(id)?.cwd ?? null;
  }

  /** Names it; an empty title takes the name away. Errors: `not_found`. */
  rename(id: TerminalId, title: string): Result<Record<string, never>> {
    const session = this.live.get(id);
    const old = this.old.get(id);
    session?.rename(title);
    const info = session?.info ?? (old && renamed(old, title));
    if (info === undefined) return notFound();
    if (!session) this.old.set(id, info);
    if (!this.keeper.isFinishing(id)) this.keeper.attempt(id, (store) => store.save(info));
    this.options.onChanged(info);
    return ok({});
  }

  /** Names of the programs that run in it, without the shell of a person's own. Errors: `not_found`. */
  async programs(id: TerminalId): Promise<Result<{ names: string[] }>> {
    const session = this.live.get(id);
    if (session) return ok({ names: await session.programs() });
    return this.old.has(id) ? ok({ names: [] }) : notFound();
  }

  /** Ends all processes of the terminal; resolves when they are gone. It stays listed. Errors: `not_found`. */
  async kill(id: TerminalId): Promise<Result<Record<string, never>>> {
    const session = this.live.get(id);
    if (session) await session.end('stopped', GRACE);
    return session || this.old.has(id) ? ok({}) : notFound();
  }

  /** Ends the terminal and forgets what it printed. Errors: `not_found`. */
  async close(id: TerminalId): Promise<Result<Record<string, never>>> {
    const killed = await this.kill(id);
    if (killed.ok) this.remove(id);
    return killed;
  }

  /** Ends whatever runs for a thread; resolves when it is gone. */
  async endOf(threadId: ThreadId): Promise<void> {
    const mine = [...this.live.values()].filter(({ info }) => info.threadId === threadId);
    await Promise.all(mine.map((session) => session.end('stopped', GRACE)));
  }

  /** Ends every terminal, for quitting; nothing can be opened afterwards. Within about 0.5 s, at most 3.5 s. */
  async disposeAll(): Promise<void> {
    this.disposed = true;
    await Promise.all([
      this.restored,
      // Nobody stopped a job: it ends with the app, and is told so whether that was quit or killed.
      ...[...this.live.values()].map((session) =>
        session.end(session.info.background === true ? 'lost' : 'stopped', GRACE),
      ),
    ]);
    await Promise.all(this.unfinished);
    this.keeper.flush();
  }

  /** Quitting waits for `work`, which is to end with the terminal it is about and must not reject. */
  beforeQuitting(work: Promise<unknown>): void {
    this.unfinished.add(work);
    void work.then(() => this.unfinished.delete(work));
  }
  private readonly unfinished = new Set<Promise<unknown>>();

  private withKnown(id: TerminalId, act: (session: Session) => void): Result<Record<string, never>> {
    const session = this.live.get(id);
    if (session) act(session);
    return session || this.old.has(id) ? ok({}) : notFound();
  }

  private changed(info: TerminalInfo): void {
    const { id } = info;
    if (info.endedAt === null) this.keeper.attempt(id, (store) => store.save(info));
    this.options.onChanged(info);
    // That it ended is kept below what it printed.
    if (info.endedAt !== null) this.keeper.finish(id, () => this.over(id));
  }

  private over(id: TerminalId): void {
    const info = this.get(id);
    if (info !== null) this.keeper.attempt(id, (store) => store.save(info));
    this.shelve(id);
    this.forgetOldest();
  }

  /** Lets go of the output of a terminal that ended, that nobody looks at and that the store has. */
  private shelve(id: TerminalId): void {
    const session = this.live.get(id);
    if (!session || session.info.endedAt === null || session.attached) return;
    if (!this.keeper.has(id)) return;
    this.live.delete(id);
    this.old.set(id, session.info);
  }

  private forgetOldest(): void {
    const ended = this.list().filter(({ id, endedAt }) => endedAt !== null && !this.live.get(id)?.attached);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - KEEP_ENDED))) this.remove(id);
  }

  private remove(id: TerminalId): void {
    const wasLive = this.live.delete(id);
    const wasOld = this.old.delete(id);
    // Closed twice at once: the second finds nothing to tell.
    if (!wasLive && !wasOld) return;
    this.keeper.remove(id);
    this.options.onRemoved(id);
  }

  /** Lists what earlier runs kept. What ran when the app was killed is `lost`; processes left of it are ended. */
  private async restore(): Promise<void> {
    const lost: TerminalId[] = [];
    for (const info of this.options.store?.list() ?? []) {
      const known: TerminalInfo =
        info.endedAt === null ? { ...info, status: 'lost', endedAt: this.options.now() } : info;
      this.old.set(info.id, known);
      if (known === info) continue;
      if (info.kind === 'agent') lost.push(info.id);
      this.keeper.attempt(info.id, (store) => store.save(known));
    }
    await Promise.all(lost.map((id) => endMarked(id, GRACE)));
  }
}

const isSize = (n: number) => Number.isInteger(n) && n >= SIZE.least && n <= SIZE.most;
const badSize = () => fail('invalid', 'terminal_size', { least: SIZE.least, most: SIZE.most });
const notFound = () => fail('not_found', 'terminal_gone');
