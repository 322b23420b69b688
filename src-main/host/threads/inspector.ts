import type { ThreadId } from '../../contract/ids';
import type { InspectedRequest } from '../../contract/inspect';
import type { AgentRef } from '../../harness';
import type { SentRequest, Spent } from '../../models/model-call';
import { requestTokens } from '../../models/usage';

/** Threads whose requests are kept, and agents per thread; the least recently used go first. */
const THREADS = 8;
const AGENTS = 8;

interface Kept {
  at: number;
  agent: string | null;
  request: SentRequest;
  counted: number | null;
}

/** The last request of each agent while Deepdesk runs. It holds the messages; texts are created on request. */
export class Inspector {
  private readonly threads = new Map<ThreadId, Map<string, Kept>>();

  constructor(private readonly contextWindow: (model: string) => number | null) {}

  sent(threadId: ThreadId, agent: AgentRef, request: SentRequest): void {
    const agents = this.threads.get(threadId) ?? new Map<string, Kept>();
    put(this.threads, threadId, agents, THREADS);
    put(
      agents,
      keyOf(agent, request.isSummary),
      { at: Date.now(), agent: agent?.name ?? null, request, counted: null },
      AGENTS,
    );
  }

  answered(threadId: ThreadId, agent: AgentRef, { usage, isSummary }: Spent): void {
    const kept = this.threads.get(threadId)?.get(keyOf(agent, isSummary));
    if (kept !== undefined && usage !== null) kept.counted = requestTokens(usage) || null;
  }

  forget(threadId: ThreadId): void {
    this.threads.delete(threadId);
  }

  /** The thread's own agent first, then by the most recent request. */
  async read(threadId: ThreadId): Promise<InspectedRequest[]> {
    const { partsOfRequest } = await import('./request-parts');
    const kept = [...(this.threads.get(threadId) ?? [])].toReversed();
    const own = kept.filter(([key]) => key === OWN);
    return [...own, ...kept.filter(([key]) => key !== OWN)].map(([, { at, agent, request, counted }]) => {
      const parts = partsOfRequest(request);
      return {
        at,
        model: request.model,
        agent,
        isSummary: request.isSummary,
        parts,
        tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
        counted,
        contextWindow: this.contextWindow(request.model),
      };
    });
  }
}

const OWN = 'own';
const keyOf = (agent: AgentRef, isSummary: boolean) =>
  `${agent === null ? OWN : agent.callId}${isSummary ? ' summary' : ''}`;

/** Inserts a value last and evicts the oldest if there are too many; the thread's own agent stays. */
function put<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const old of map.keys()) {
    if (map.size <= most) return;
    if (old !== OWN) map.delete(old);
  }
}
