/** Milliseconds of a day. No change of a clock is larger. */
export const DAY = 86_400_000;

/** The clock on a wall in a time zone. Its times are in milliseconds, as if that zone were UTC. */
export class WallClock {
  private readonly format: Intl.DateTimeFormat;

  /** Throws for a zone that does not exist. */
  constructor(timeZone: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  }

  /** What the clock shows at a moment. */
  at(moment: number): number {
    const parts = new Map(this.format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 1, day, hour, minute, second] = FIELDS.map((field) => parts.get(field));
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((moment % 1_000) + 1_000) % 1_000);
  }

  /** The moment at which the clock shows a time: the first of two, and for a time that is skipped, right after it. */
  momentOf(shown: number): number {
    const [before, after] = [shown - DAY, shown + DAY].map((moment) => this.at(moment) - moment);
    const moments = [shown - (before ?? 0), shown - (after ?? 0)].sort((a, b) => a - b);
    const [early = shown, late = shown] = moments;
    const found = moments.find((moment) => this.at(moment) === shown);
    return found ?? this.changeBetween(early, late);
  }

  /** The first moment after a change of the clock. */
  private changeBetween(early: number, late: number): number {
    const offset = this.at(early) - early;
    let [from, to] = [early, late];
    while (to - from > 1) {
      const middle = Math.floor((from + to) / 2);
      if (this.at(middle) - middle === offset) from = middle;
      else to = middle;
    }
    return to;
  }
}

const FIELDS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
