import type { TerminalInfo } from '../contract/app';
import type { CallId, ProjectId, TerminalId, ThreadId } from '../contract/ids';
import { fail, ok, type Result } from '../contract/result';
import { optional } from '../contract/shared/optional';
import type { Elsewhere } from '../harness';
import { Keeper } from './keeper';
import { numbered } from './numbers';
import { endMarked } from './pty/process-tree';
import { commandProgram, type Program, personProgram, programName, startPty } from './pty/pty';
import { renamed, Session } from './session';
import { markShell, type ShellFiles, writeShellFiles } from './shell-marks';
import type { TerminalStore } from './store';

/** Milliseconds between SIGTERM and SIGKILL when a person or the app stops a terminal. */
const GRACE = 500;
/** Exited terminals that stay listed. The oldest are removed first, unless somebody views them. */
const KEEP_ENDED = 100;
const SIZE = { least: 2, most: 1_000 };
const VIEWER = 'window';

export interface TerminalSessionsOptions {
  now(): number;
  /** Unique across all runs of the app: after a crash, processes are found by it. */
  newId(): TerminalId;
  onChanged(info: TerminalInfo): void;
  onRemoved(id: TerminalId): void;
  /** Output of a terminal that has a viewer; `offset` in UTF-16 units since the start. */
  onData(id: TerminalId, offset: number, data: string): void;
  /**
   * Absolute path of our folder for the startup files that make shells mark their commands. Without it they mark nothing.
   */
  shellFolder?: string;
  store?: TerminalStore;
  /** The store failed; the terminal continues without being saved. */
  onStoreError?(error: unknown): void;
}

export interface OpenRequest {
  kind: TerminalInfo['kind'];
  projectId: ProjectId;
  threadId: ThreadId | null;
  callId: CallId | null;
  /** True: a job of the agent, which keeps running after the call that started it. */
  background?: boolean;
  /** The command line of an agent's terminal. Ignored for a person's terminal, which runs their shell. */
  command: string;
  /** Runs instead of the command line, which is then only displayed. */
  script?: string;
  /** Runs instead of the person's own shell: their shell on another machine. The terminal is named after that machine. */
  shell?: Program;
  /** Replaces the program of an agent's command with one that runs it in the sandbox. */
  wrap?: (program: Program) => Program;
  /** `wrap` puts it into a throwaway layer. */
  inLayer?: true;
  /** `wrap` isolates nothing: the command only finds some paths closed. */
  isOpen?: true;
  /** The wrapped program runs on another machine. */
  elsewhere?: Elsewhere;
  /** Names of the programs in a shell there. */
  programs?: () => Promise<string[]>;
  /** Closed: an agent's command that reads gets end of file. Default: the person types. */
  stdin?: 'person' | 'closed';
  /** Absolute. */
  cwd: string;
  /** The finished terminal that it replaces: it gets its name. */
  replaces?: TerminalInfo;
  /** Output of an earlier terminal, shown above this one's. */
  past?: string;
  /** Columns and rows, 2 to 1,000. Default: 120 x 30. */
  cols?: number;
  rows?: number;
  /** The whole environment. Only the terminal's variables and defaults that avoid pagers are added. */
  env: Record<string, string>;
}

/** All terminals of the app: running, exited, and saved from earlier runs. */
export class TerminalSessions {
  private readonly live = new Map<TerminalId, Session>();
  /** Exited terminals whose output is only in the store. */
  private readonly old = new Map<TerminalId, TerminalInfo>();
  private readonly programsThere = new Map<TerminalId, () => Promise<string[]>>();
  private readonly keeper: Keeper;
  private disposed = false;
  /** Resolves when processes left over from a killed run have been killed. */
  readonly restored: Promise<void>;

  constructor(private readonly options: TerminalSessionsOptions) {
    this.keeper = new Keeper(options.store, (error) => options.onStoreError?.(error));
    this.restored = this.restore();
  }

  /** Resolves when the person's shells can be started with command marks, or when that has failed for good. */
  prepare(): Promise<void> {
    this.preparing ??= this.prepareShells();
    return this.preparing;
  }
  private preparing: Promise<void> | undefined;
  private shellFiles: ShellFiles | null = null;

  private async prepareShells(): Promise<void> {
    const { shellFolder } = this.options;
    if (shellFolder === undefined) return;
    // If these files cannot be written, the person still gets a shell.
    this.shellFiles = await writeShellFiles(shellFolder).catch(() => null);
  }

  /**
   * Starts an agent's command or a person's shell in a new terminal. Call `prepare` before starting a person's shell.
   * Errors: `invalid` size, `folder_gone`, `cancelled` while the app quits, `internal` if the system refuses a pty.
   */
  open(request: OpenRequest): Result<Session> {
    if (this.disposed) return fail('cancelled', 'closing');
    const { cols = 120, rows = 30 } = request;
    if (!isSize(cols) || !isSize(rows)) return badSize();
    const id = this.options.newId();
    const isAgent = request.kind === 'agent';
    const { kind, projectId, threadId, callId, cwd, env, stdin = 'person' } = request;
    const { wrap, elsewhere, replaces } = request;
    const plain = isAgent
      ? commandProgram(request.script ?? request.command, stdin)
      : (request.shell ?? personProgram(env));
    const { shellFiles } = this;
    const isMarked = !isAgent && request.shell === undefined;
    const marked = !isMarked || shellFiles === null ? null : markShell(plain, env, shellFiles);
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
    const named: TerminalInfo = {
      id,
      kind,
      projectId,
      threadId,
      callId,
      command: isAgent ? request.command : (elsewhere?.machine ?? programName(program)),
      cwd: elsewhere?.folder ?? cwd,
      startedAt: this.options.now(),
      endedAt: null,
      exitCode: null,
      status: 'running',
      cols,
      rows,
      ...optional({ title: replaces?.title }),
      ...(request.background ? { background: true } : {}),
      ...placeOf(request, program !== plain),
      ...(marked === null ? {} : { marks: marked.mark }),
    };
    const others = this.list().filter((other) => other.id !== replaces?.id);
    const info = numbered(named, others, replaces?.number);
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
      isAgent && stdin === 'person' && request.background !== true,
    );
    this.live.set(id, session);
    if (request.programs !== undefined) this.programsThere.set(id, request.programs);
    this.changed(info);
    return ok(session);
  }

  /** Oldest first. */
  list(): TerminalInfo[] {
    const all = [...this.old.values(), ...[...this.live.values()].map((s) => s.info)];
    return all.sort((a, b) => a.startedAt - b.startedAt);
  }

  /**
   * Returns the output so far (its last 2,000,000 units, starting at `offset`). From now on `onData` is called for this
   * terminal. `viewer` distinguishes windows if there are several. Errors: `not_found`.
   */
  attach(id: TerminalId, viewer = VIEWER): Result<{ terminal: TerminalInfo; offset: number; data: string }> {
    const session = this.live.get(id);
    if (session) return ok({ terminal: session.info, ...session.attach(viewer) });
    const terminal = this.old.get(id);
    if (!terminal) return notFound();
    return ok({ terminal, ...(this.options.store?.output(id) ?? { offset: 0, data: '' }) });
  }

  /** Returns the output like `attach`, without attaching. Errors: `not_found`. */
  recorded(id: TerminalId): Result<{ offset: number; data: string }> {
    const session = this.live.get(id);
    if (session) return ok(session.recorded());
    if (!this.old.has(id)) return notFound();
    return ok(this.options.store?.output(id) ?? { offset: 0, data: '' });
  }

  /** The viewer stops watching and no longer pauses the terminal. Unknown terminals are not an error. */
  detach(id: TerminalId, viewer = VIEWER): void {
    this.live.get(id)?.detach(viewer);
    this.shelve(id);
  }

  /** A window closed: nothing waits for it any more. */
  detachAll(viewer = VIEWER): void {
    for (const id of this.live.keys()) this.detach(id, viewer);
  }

  /** The viewer has processed everything before `offset`. Without acknowledgments the terminal is paused. */
  ack(id: TerminalId, offset: number, viewer = VIEWER): void {
    this.live.get(id)?.ack(viewer, offset);
  }

  /**
   * Types into the terminal. Input is not saved, only what the terminal echoes. Typing into a terminal that has exited does
   * nothing. Errors: `not_found`; `too_large` if the program does not read and a megabyte is pending.
   */
  input(id: TerminalId, data: string): Result<Record<string, never>> {
    const session = this.live.get(id);
    if (session && !session.input(data)) {
      return fail('too_large', 'terminal_input_full');
    }
    return session || this.old.has(id) ? ok({}) : notFound();
  }

  /** Errors: `invalid` size, `not_found`. A terminal that has exited keeps its size. */
  resize(id: TerminalId, cols: number, rows: number): Result<Record<string, never>> {
    if (!isSize(cols) || !isSize(rows)) return badSize();
    return this.withKnown(id, (session) => {
      session.resize(cols, rows);
      this.changed(session.info);
    });
  }

  /** Returns the terminal's info, or null if it is unknown. */
  get(id: TerminalId): TerminalInfo | null {
    return this.live.get(id)?.info ?? this.old.get(id) ?? null;
  }

  /** The base for relative paths in the output: the current folder of its shell, if that is known. */
  folderOf(id: TerminalId): string | null {
    const session = this.live.get(id);
    if ((session?.info ?? this.old.get(id))?.machine !== undefined) return null;
    return session?.folder ?? this.old.get(id)?.cwd ?? null;
  }

  /** Names the terminal. An empty title removes the name. Errors: `not_found`. */
  rename(id: TerminalId, title: string): Result<Record<string, never>> {
    const session = this.live.get(id);
    const old = this.old.get(id);
    session?.rename(title);
    const info = session?.info ?? (old && renamed(old, title));
    if (info === undefined) return notFound();
    if (!session) this.old.set(id, info);
    if (!this.keeper.isFinishing(id)) this.keeper.save(info);
    this.options.onChanged(info);
    return ok({});
  }

  /** Names of the programs that run in it, without a person's shell. Errors: `not_found`. */
  async programs(id: TerminalId): Promise<Result<{ names: string[] }>> {
    const session = this.live.get(id);
    const there = this.programsThere.get(id);
    if (session?.info.status === 'running' && there !== undefined) return ok({ names: await there() });
    if (session) return ok({ names: await session.programs() });
    return this.old.has(id) ? ok({ names: [] }) : notFound();
  }

  /** Kills all processes of the terminal. Resolves when they are gone. It stays listed. Errors: `not_found`. */
  async kill(id: TerminalId): Promise<Result<Record<string, never>>> {
    const session = this.live.get(id);
    if (session) await session.end('stopped', GRACE);
    return session || this.old.has(id) ? ok({}) : notFound();
  }

  /** Stops the terminal and deletes its output. Errors: `not_found`. */
  async close(id: TerminalId): Promise<Result<Record<string, never>>> {
    const killed = await this.kill(id);
    if (killed.ok) this.remove(id);
    return killed;
  }

  /** Stops everything that runs for a thread. Resolves when it is gone. */
  async endOf(threadId: ThreadId): Promise<void> {
    const mine = [...this.live.values()].filter(({ info }) => info.threadId === threadId);
    await Promise.all(mine.map((session) => session.end('stopped', GRACE)));
  }

  /** Stops every terminal, for quitting. Nothing can be opened afterwards. Takes about 0.5 s, at most 3.5 s. */
  async disposeAll(): Promise<void> {
    this.disposed = true;
    await Promise.all([
      this.restored,
      // Nobody stopped a job: it stops with the app, and has the same status whether the app quit or was killed.
      ...[...this.live.values()].map((session) =>
        session.end(session.info.background === true ? 'lost' : 'stopped', GRACE),
      ),
    ]);
    await Promise.all(this.unfinished);
    this.keeper.flush();
  }

  /** Quitting waits for `work`, which must finish when its terminal does and must not reject. */
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
    if (info.endedAt === null) this.keeper.save(info);
    this.options.onChanged(info);
    // The exit is saved after the output.
    if (info.endedAt !== null) this.keeper.finish(id, () => this.over(id));
  }

  private over(id: TerminalId): void {
    const info = this.get(id);
    if (info !== null) this.keeper.save(info);
    this.shelve(id);
    this.forgetOldest();
  }

  /** Releases the output of an exited terminal that nobody views and that the store has. */
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
    // Closed twice concurrently: the second call has nothing to report.
    if (!wasLive && !wasOld) return;
    this.programsThere.delete(id);
    this.keeper.remove(id);
    this.options.onRemoved(id);
  }

  /**
   * Lists terminals saved by earlier runs. Those that ran when the app was killed become `lost`, and their remaining
   * processes are killed.
   */
  private async restore(): Promise<void> {
    const lost: TerminalId[] = [];
    for (const info of this.options.store?.list() ?? []) {
      const known: TerminalInfo =
        info.endedAt === null ? { ...info, status: 'lost', endedAt: this.options.now() } : info;
      // Earlier versions numbered none.
      const named = numbered(known, this.old.values());
      this.old.set(info.id, named);
      if (known === info && named.number === info.number) continue;
      if (known !== info && info.kind === 'agent') lost.push(info.id);
      this.keeper.save(named);
    }
    await Promise.all(lost.map((id) => endMarked(id, GRACE)));
  }
}

/** Where a wrapped program runs. */
const placeOf = ({ inLayer, isOpen, elsewhere }: OpenRequest, isWrapped: boolean) => {
  if (elsewhere !== undefined) return { machine: elsewhere.machine };
  return isWrapped && isOpen !== true ? { sandboxed: true, ...optional({ inLayer }) } : {};
};

const isSize = (n: number) => Number.isInteger(n) && n >= SIZE.least && n <= SIZE.most;
const badSize = () => fail('invalid', 'terminal_size', { least: SIZE.least, most: SIZE.most });
const notFound = () => fail('not_found', 'terminal_gone');
