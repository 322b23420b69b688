import { runContext, runFunction } from './run-context';

/** Key in the thread's state. Private: neither passed in nor returned, and a sub-agent has its own. */
export const FILE_VERSIONS = '_fileVersions';

/** Maximum files remembered. The ones seen longest ago are dropped and count as never read. */
const MAX_FILES = 2_000;
/** Steps kept in memory. More than can run at once. */
const MAX_STEPS = 1_000;

/** A path and its last seen version: '' if the backend has none, null to forget. */
export type VersionsUpdate = Record<string, string | null>;

/** The channel's reducer: the last seen goes last. Never changes its arguments. */
export function versionsReducer(
  current: Record<string, string> | undefined,
  update: VersionsUpdate | undefined,
): Record<string, string> {
  const merged = new Map(Object.entries(current ?? {}));
  for (const [path, version] of Object.entries(update ?? {})) {
    merged.delete(path);
    if (version !== null) merged.set(path, version);
  }
  return Object.fromEntries([...merged].slice(-MAX_FILES));
}

/**
 * The last seen version of each file. It is kept in the thread's state, so it survives restarts. A step's versions are also
 * kept in memory, since the calls of one answer run in parallel and do not see each other's state. Only for that step: one
 * agent may serve many threads at once.
 */
export class SeenVersions {
  private readonly steps = new Map<string, Map<string, string | null>>();

  /** Notes the version that was seen now: '' if the backend has none, null to forget. */
  note(path: string, version: string | null): void {
    this.latest().set(path, version);
    runFunction('__pregel_send')?.([[FILE_VERSIONS, { [path]: version }]]);
  }

  /** Undefined: never seen. */
  of(path: string): string | undefined {
    const now = this.latest().get(path);
    return now === undefined ? savedVersions()[path] : (now ?? undefined);
  }

  /** Forgets a path with everything below it. */
  forget(path: string): void {
    const known = new Set([...this.latest().keys(), ...Object.keys(savedVersions())]);
    for (const one of known) if (one === path || one.startsWith(`${path}/`)) this.note(one, null);
  }

  /** What the calls of the step that is running have seen. */
  private latest(): Map<string, string | null> {
    const step = stepNow();
    const known = this.steps.get(step) ?? new Map<string, string | null>();
    this.steps.set(step, known);
    for (const oldest of this.steps.keys()) {
      if (this.steps.size <= MAX_STEPS) break;
      this.steps.delete(oldest);
    }
    return known;
  }
}

/** The checkpoint that the running step began with: no other step of any thread has it. Empty outside a graph. */
function stepNow(): string {
  const { checkpoint_map: checkpoints, checkpoint_ns: place } = runContext().configurable;
  if (typeof place !== 'string' || typeof checkpoints !== 'object' || checkpoints === null) return '';
  const step: unknown = Reflect.get(checkpoints, place.split('|').slice(0, -1).join('|'));
  return typeof step === 'string' ? step : '';
}

function savedVersions(): Record<string, string> {
  const saved = runFunction('__pregel_read')?.(FILE_VERSIONS, true);
  return typeof saved === 'object' && saved !== null ? (saved as Record<string, string>) : {};
}
