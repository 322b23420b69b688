import { isBelow } from '../base/is-below';
import { parentOf } from './excluded';

/** The paths that running calls have named. */
export class Claims {
  private readonly claims = new Map<string, { paths: ReadonlySet<string>; exclusive: boolean }>();

  /** `exclusive`: no other caller receives the changes at these paths. */
  add(claim: string, paths: Iterable<string>, exclusive: boolean): void {
    this.claims.set(claim, { paths: new Set(paths), exclusive });
  }

  /** The paths that it named. */
  release(claim: string): ReadonlySet<string> {
    const paths = this.claims.get(claim)?.paths ?? new Set<string>();
    this.claims.delete(claim);
    return paths;
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
