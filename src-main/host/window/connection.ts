import type { HostEvent } from '../../contract/events';
import type { TerminalId, ThreadId } from '../../contract/ids';
import type { Handlers, Port, ToWindow } from '../../contract/rpc';
import { serve } from '../../contract/serve';
import { PERSON_WAITS, type WriteLock } from '../../storage/database/write-lock';
import type { Hub } from './hub';
import { onlyReads } from './reading-commands';
import { explainSaving } from './run-errors';

/** The connection to a window or the headless command, and its subscriptions. */
export class Connection {
  private readonly threads = new Map<ThreadId, () => void>();
  readonly terminals = new Set<TerminalId>();
  private stopApp: (() => void) | undefined;

  constructor(
    /** Identifies this end for the terminals' flow control. */
    readonly id: string,
    private readonly port: Port,
    private readonly hub: Hub,
  ) {}

  /** This window is now the active one. */
  toFront(): void {
    if (this.stopApp !== undefined) this.hub.toFront(this.id);
  }

  send(event: HostEvent): void {
    this.port.post({ kind: 'event', event } satisfies ToWindow);
  }

  followApp(): void {
    if (this.stopApp !== undefined) return;
    this.hub.toFront(this.id);
    this.stopApp = this.hub.onApp((event) => {
      if (event.type === 'terminal.data' && !this.terminals.has(event.terminalId)) return;
      if (event.type.startsWith('show.') && !this.hub.isFront(this.id)) return;
      this.send(event);
    });
  }

  followThread(threadId: ThreadId): void {
    if (this.threads.has(threadId)) return;
    this.threads.set(
      threadId,
      this.hub.onThread(threadId, (event) => this.send(event)),
    );
  }

  leaveThread(threadId: ThreadId): void {
    this.threads.get(threadId)?.();
    this.threads.delete(threadId);
  }

  close(): void {
    this.stopApp?.();
    this.hub.leave(this.id);
    for (const stop of this.threads.values()) stop();
    this.threads.clear();
  }
}

/** Serves the commands on a port until it closes. Returns a function that stops serving them. */
export function connectPort(options: {
  id: string;
  port: Port;
  hub: Hub;
  handlers: Handlers<Connection>;
  lock: WriteLock;
  /** See `Storage.onDisk`. */
  onDisk: () => Promise<void> | undefined;
  report: (command: string, error: unknown) => void;
  onClosed: (connection: Connection) => void;
}): () => void {
  const { id, port, hub, handlers, lock, onDisk, report } = options;
  const connection = new Connection(id, port, hub);
  const stop = serve(
    port,
    handlers,
    connection,
    report,
    explainSaving,
    (name, signal) => (onlyReads(name) ? undefined : lock.wait(PERSON_WAITS, signal)),
    // The answer says that what the person did is saved.
    (name) => (onlyReads(name) ? undefined : onDisk()),
  );
  port.onClose(() => {
    stop();
    connection.close();
    options.onClosed(connection);
  });
  return stop;
}
