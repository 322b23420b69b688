/** Keeps previous values for a limited time, in memory only: some are keys, which must never be written to disk. */
export class BeforeChange {
  private readonly kept = new Map<string, { value: string | null; timer: ReturnType<typeof setTimeout> }>();

  /** `within`: milliseconds before a value is forgotten. */
  constructor(private readonly within: number) {}

  /** Replaces the value kept for the same place. `value`: null if there was none. */
  keep(what: string, of: string, value: string | null): void {
    const place = `${what} ${of}`;
    this.take(what, of);
    const timer = setTimeout(() => this.kept.delete(place), this.within);
    // It must not delay the exit of the process.
    timer.unref();
    this.kept.set(place, { value, timer });
  }

  /** Returns the value and forgets it; undefined if none is kept. */
  take(what: string, of: string): { value: string | null } | undefined {
    const place = `${what} ${of}`;
    const found = this.kept.get(place);
    if (found === undefined) return undefined;
    clearTimeout(found.timer);
    this.kept.delete(place);
    return { value: found.value };
  }
}
