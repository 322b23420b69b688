import { isBelow } from '../base/is-below';
import { parentOf } from './excluded';
import type { NamedLimits } from './protocol';

interface Claim {
  paths: ReadonlySet<string>;
  /** No other caller receives the changes at these paths. */
  exclusive: boolean;
  /** What is kept of those that are excluded, before the call and after it. */
  limits?: NamedLimits;
  /** When the check before the call started; see `UnseenFiles`. */
  since: number;
}

/** The paths that running calls have named. */
export class Claims {
  private readonly claims = new Map<string, Claim>();

  get isEmpty(): boolean {
    return this.claims.size === 0;
  }

  add(claim: string, { paths, ...more }: Omit<Claim, 'paths'> & { paths: Iterable<string> }): void {
    this.claims.set(claim, { paths: new Set(paths), ...more });
  }

  /** What it named. */
  release(claim: string): Pick<Claim, 'paths' | 'limits' | 'since'> {
    const released = this.claims.get(claim) ?? { paths: new Set<string>(), exclusive: true, since: 0 };
    this.claims.delete(claim);
    // Only Deepdesk itself writes there.
    return released.exclusive ? { ...released, since: 0 } : released;
  }

  /** Whether only the caller that named the path, or a folder above it, receives its changes. */
  holds(path: string): boolean {
    for (const { exclusive, paths } of this.claims.values())
      for (let at = path; exclusive && at !== ''; at = parentOf(at)) if (paths.has(at)) return true;
    return false;
  }

  /** Whether some call has named the path or a folder above it. */
  names(path: string): boolean {
    for (const { paths } of this.claims.values())
      for (const root of paths) if (isBelow(path, root)) return true;
    return false;
  }
}
