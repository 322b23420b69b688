import { isDeepStrictEqual } from 'node:util';
import { soak } from '../../testing/soak';
import { type Findings, findingsOf, plannedFor } from '../../testing/soak-findings';
import { type FaultOptions, type Kind, Tally } from './tally';

/** Steps of the agent for each kill: the next one must have something to interrupt. */
const STEPS_PER_KILL = 6;
/** Tokens. */
const WINDOW = 8_000;

const KIND_OF: Record<Exclude<keyof Findings, 'compactions'>, Kind> = {
  database: 'database',
  graph: 'messages',
  shown: 'messages',
  parts: 'messages',
  unanswered: 'messages',
  folder: 'files',
  log: 'effects',
  notes: 'files',
  memories: 'memories',
  offloaded: 'files',
  incompleteOffloads: 'files',
  badArchives: 'files',
};

/** One long thread with sub-agents, approvals and compactions, whose process is killed at random moments of its steps. */
export async function killedRuns({ bundle, place, times, seed }: FaultOptions): Promise<Tally> {
  const tally = new Tally();
  const steps = Math.max(60, times * STEPS_PER_KILL);
  const result = await soak({ bundle, place, steps, kills: times, seed, window: WINDOW });
  const found: Partial<Findings> = await findingsOf(result);
  tally.provoked = result.kills.length;
  tally.recoveries.push(...result.recoveries);
  for (const [key, planned] of Object.entries(plannedFor(result)) as [keyof typeof KIND_OF, unknown][])
    if (!isDeepStrictEqual(found[key], planned))
      tally.add(KIND_OF[key], `${key}: ${JSON.stringify(found[key])} instead of ${JSON.stringify(planned)}`);
  for (const report of result.reports) tally.add('messages', report);
  return tally;
}
