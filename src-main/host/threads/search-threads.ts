import { z } from 'zod';
import type { FoundThread } from '../../contract/commands/search';
import type { ProjectId } from '../../contract/ids';
import { optional } from '../../contract/shared/optional';
import type { Storage } from '../../storage';
import { readBody } from '../../storage/json-columns';
import { snippetOf } from './thread-find';

/** Maximum number of messages checked per search, of threads shown, and of messages shown per thread. */
const MAX_HITS = 1_000;
const MAX_THREADS = 40;
const HITS_PER_THREAD = 3;
/** Counted up to this number. */
const MAX_PENDING = 100_000;
/** Milliseconds to index recent messages first. */
const FRESH_WITHIN = 8;

const Hit = z.object({ role: z.enum(['user', 'agent']), at: z.number(), text: z.string() });

/** Threads with messages that contain the words. */
export function searchThreads(
  storage: Storage,
  query: string,
  projectId: ProjectId | undefined,
): { threads: FoundThread[]; cut: boolean; pending: number } {
  const left = storage.search.index(FRESH_WITHIN);
  const found = storage.search.find(query, {
    limit: MAX_HITS,
    ...optional({ projectId }),
  });
  const threads = new Map<string, FoundThread>();
  let cut = found.length === MAX_HITS;
  for (const { threadId, projectId: project, messageId, body } of found) {
    let thread = threads.get(threadId);
    if (!thread) {
      if (threads.size === MAX_THREADS) {
        cut = true;
        continue;
      }
      const summary = storage.threads.summary(threadId);
      if (!summary) continue;
      const { title, updatedAt } = summary;
      thread = { threadId, projectId: project, title, updatedAt, count: 0, hits: [] };
      threads.set(threadId, thread);
    }
    thread.count += 1;
    if (thread.hits.length === HITS_PER_THREAD) continue;
    const hit = readBody(Hit, body);
    if (hit === null) continue;
    thread.hits.push({ messageId, role: hit.role, at: hit.at, snippet: snippetOf(hit.text, query) });
  }
  return { threads: [...threads.values()], cut, pending: left ? storage.search.pending(MAX_PENDING) : 0 };
}
