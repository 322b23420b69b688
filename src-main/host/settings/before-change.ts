/** What values were before they were changed, each for a time, in memory alone: some are keys, which nothing may write down. */
export class BeforeChange {
  private readonly kept = new Map<string, { value: string | null; timer: ReturnType<typeof setTimeout> }>();

  /** `within`: milliseconds until a value is forgotten. */
  constructor(private readonly within: number) {}

  /** `value`: null where there was none. In place of what was kept for the same place. */
  keep(what: string, of: string, value: string | null): void {
    const place = `${what} ${of}`;
    this.take(what, of);
    const timer = setTimeout(() => this.kept.delete(place), this.within);
    // It must not hold up the end of the process.
    timer.unref();
    this.kept.set(place, { value, timer });
  }

  /** The value, which is forgotten with that; undefined where none is kept. */
  take(what: string, of: string): { value: string | null } | undefined {
    const place = `${what} ${of}`;
    const found = this.kept.get(place);
    if (found === undefined) return undefined;
    clearTimeout(found.timer);
    this.kept.delete(place);
    return { value: found.value };
  }
}
