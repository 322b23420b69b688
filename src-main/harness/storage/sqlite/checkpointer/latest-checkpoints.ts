import type { ChannelVersions } from '@langchain/langgraph-checkpoint';
import { setNewest } from '../../../../contract/shared/set-newest';

/** Namespaces whose latest checkpoint is cached. Sub-graphs have many short-lived ones. */
const LATEST_KEPT = 64;

export interface Latest {
  id: string;
  versions: ChannelVersions;
  /** The text in pieces, by channel. */
  channels: Record<string, string>;
}

/** Caches the latest checkpoint of each thread and namespace, since the next one builds on it. */
export class LatestCheckpoints {
  readonly #latest = new Map<string, Latest>();

  keep(thread: number, ns: string, latest: Latest): void {
    setNewest(this.#latest, `${thread} ${ns}`, latest, LATEST_KEPT);
  }

  /** Undefined if another checkpoint is the latest, or none is known. */
  of(thread: number, ns: string, id: string): Latest | undefined {
    const latest = this.#latest.get(`${thread} ${ns}`);
    return latest?.id === id ? latest : undefined;
  }

  clear(): void {
    this.#latest.clear();
  }
}
