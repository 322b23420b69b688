import type { CheckpointMetadata } from '@langchain/langgraph-checkpoint';

interface Put {
  threadId: string;
  ns: string;
  id: string;
  parentId: string | null;
  source: CheckpointMetadata['source'];
}

/** Run inputs whose writes nothing awaits before the thread's next put. Each checkpointer has one instance. */
export class RunBeginnings {
  /** Run inputs whose first step has not been put yet: checkpoint id by thread. */
  readonly #started = new Map<string, string>();
  /** Run inputs that are still being written, by thread. */
  readonly #writing = new Map<string, Promise<void>>();
  readonly #flush: () => void;

  /** @param flush commits pending writes */
  constructor(flush: () => void) {
    this.#flush = flush;
  }

  /** Whether a put belongs to the start of a run. Call it once for each put. */
  takes({ threadId, ns, id, parentId, source }: Put): boolean {
    const isInput = source === 'input';
    // The first step only includes the run's input.
    const isFirstStep = parentId !== null && this.#started.get(threadId) === parentId;
    const takes = ns === '' && (isInput || isFirstStep);
    if (takes && isInput) this.#started.set(threadId, id);
    else this.#started.delete(threadId);
    return takes;
  }

  /** Keeps the write and its error for `written`. */
  write(threadId: string, writing: Promise<void>): void {
    writing.catch(() => undefined);
    this.#writing.set(threadId, writing);
  }

  /** Undefined if no write of the thread is pending. Else resolves when it is done and rejects if it failed. */
  written(threadId: string): Promise<void> | undefined {
    const writing = this.#writing.get(threadId);
    if (writing === undefined) return undefined;
    this.#writing.delete(threadId);
    this.#flush();
    return writing;
  }

  forget(threadId: string): void {
    this.#started.delete(threadId);
    this.#writing.delete(threadId);
  }
}
