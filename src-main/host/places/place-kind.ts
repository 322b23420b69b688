import type { BaseStore } from '@langchain/langgraph-checkpoint';
import type { PlaceKind, PlaceOptions } from '../../contract/places';
import type { AppError, Result } from '../../contract/result';
import type { BackendProtocol, CommandSandbox } from '../../harness';
import type { RemoteShell } from '../../harness/backends/remote/remote-terminal';
import type { RemoteTree } from '../../harness/backends/remote/remote-tree';
import type { IndexedStore } from '../../harness/backends/store/indexed-store';

/** Memories as a database keeps them. */
export interface StoredMemories {
  store: Pick<BaseStore, 'get'> & Required<Pick<IndexedStore, 'compareAndPut' | 'listKeys'>>;
  namespace: string[];
}

/** The same, where a connection can be lost. */
export interface PlaceMemories extends StoredMemories {
  /** Why the last call failed; null if the connection still works. */
  whyLost(): Promise<AppError | null>;
}

/** A place that was reached. */
export interface ConnectedPlace {
  backend: BackendProtocol;
  /** Present if it runs commands: the folder that they start in there, and the terminals that they run in. */
  commands?: {
    folder: string;
    terminal(stdin: () => 'person' | 'closed'): CommandSandbox;
    /** The person's own shell, in a folder there or in the place's. */
    shell(folder?: string): Promise<RemoteShell>;
  };
  /** Present if the person can create, rename and delete files there. */
  tree?: RemoteTree;
  /** Present if its files are memories in a database. */
  memories?: StoredMemories;
  /** Whether it can still be used. Called after a call failed in a way that losing the place would explain. */
  check(signal: AbortSignal): Promise<Result<object>>;
  /** Ends a lost connection; what commands left behind is still ended if the place comes back. Default: `close`. */
  drop?(): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectContext {
  secret: string | null;
  /** A file of this app for the keys of hosts that the person accepted. */
  knownHosts: string;
  /** The environment of programs that the place needs. */
  env: NodeJS.ProcessEnv;
  /** What confines the commands of the project in a folder; null if nothing does. */
  confine(folder: string): Promise<CommandSandbox | null>;
  /** Aborted when connecting takes too long or nobody waits for it any more. */
  signal: AbortSignal;
}

/** One kind of place. */
export interface PlaceKindModule<K extends PlaceKind> {
  /** Errors of kind `denied`, `not_found` or `invalid`: the place refuses; any other: it is offline. */
  connect(
    options: Extract<PlaceOptions, { kind: K }>,
    context: ConnectContext,
  ): Promise<Result<ConnectedPlace>>;
}
