import { randomUUID } from 'node:crypto';
import type { ThreadSummary } from '../../contract/app';
import { type ProjectId, ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import type { Storage } from '../../storage';
import type { Hub } from '../window/hub';

/** The threads of all projects as the list shows them. */
export class ThreadList {
  constructor(
    private readonly storage: Storage,
    private readonly hub: Hub,
  ) {}

  /** Errors: `not_found`. */
  summary(threadId: ThreadId): Result<ThreadSummary> {
    const summary = this.storage.threads.summary(threadId);
    return summary ? ok(summary) : fail('not_found', 'thread_gone');
  }

  /** Returns the summary and publishes it to every window. */
  tell(threadId: ThreadId): Result<ThreadSummary> {
    const summary = this.summary(threadId);
    if (summary.ok) this.hub.app({ type: 'summary.changed', summary: summary.value });
    return summary;
  }

  create(projectId: ProjectId, model: string | undefined): Result<ThreadSummary> {
    const { storage } = this;
    const id = ThreadId.parse(randomUUID());
    const at = storage.now();
    storage.threads.insert({
      id,
      projectId,
      title: '',
      model: model ?? storage.settings.read().model,
      createdAt: at,
      updatedAt: at,
    });
    return this.tell(id);
  }

  remove(threadId: ThreadId): void {
    this.storage.threads.remove(threadId, Date.now());
    this.hub.app({ type: 'thread.removed', threadId });
  }

  restore(threadId: ThreadId): Result<ThreadSummary> {
    return this.storage.threads.restore(threadId)
      ? this.tell(threadId)
      : fail('not_found', 'thread_not_restorable');
  }

  /** Fields that are not given stay unchanged. */
  mark(
    threadId: ThreadId,
    { pinned, archived }: { pinned: boolean | undefined; archived: boolean | undefined },
  ): Result<ThreadSummary> {
    this.storage.threads.mark(
      threadId,
      {
        ...optional({ pinned, archived }),
        // One or the other: an archived thread is not pinned.
        ...(pinned === true ? { archived: false } : archived === true ? { pinned: false } : {}),
      },
      Date.now(),
    );
    return this.tell(threadId);
  }

  /** The person sees the thread in its state at event `seq`. */
  see(threadId: ThreadId, seq: number): void {
    const { storage } = this;
    const wasUnread = storage.threads.summary(threadId)?.unread === true;
    storage.activity.see(threadId, seq, storage.now());
    if (wasUnread) this.tell(threadId);
  }
}
