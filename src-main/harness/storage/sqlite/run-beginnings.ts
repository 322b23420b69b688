import type { CheckpointMetadata } from '@langchain/langgraph-checkpoint';

interface Put {
  threadId: string;
  ns: string;
  id: string;
  parentId: string | null;
  source: CheckpointMetadata['source'];
}

/**
 * What runs begin with, and its writing, which nobody waits for before the next thing of the thread is put. One for each
 * checkpointer.
 */
export class RunBeginnings {
  /** Checkpoints with what runs begin with, whose first step has not been put yet, by thread. */
  readonly #started = new Map<string, string>();
  /** What is still being written of them, by thread. */
  readonly #writing = new Map<string, Promise<void>>();
  readonly #flush: () => void;

  /** @param flush writes what waits to be written */
  constructor(flush: () => void) {
    this.#flush = flush;
  }

  /** Whether what is put belongs to the beginning of a run; it is to be called once for each that is put. */
  takes({ threadId, ns, id, parentId, source }: Put): boolean {
    const isInput = source === 'input';
    // The first step only takes up what the run begins with.
    const isFirstStep = parentId !== null && this.#started.get(threadId) === parentId;
    const takes = ns === '' && (isInput || isFirstStep);
    if (takes && isInput) this.#started.set(threadId, id);
    else this.#started.delete(threadId);
    return takes;
  }

  /** Keeps the writing, and what goes wrong with it, for `written`. */
  write(threadId: string, writing: Promise<void>): void {
    writing.catch(() => undefined);
    this.#writing.set(threadId, writing);
  }

  /** Undefined where nothing of the thread is being written; else resolves when it is, and rejects where it could not be. */
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
