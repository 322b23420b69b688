import type { Asked } from './soak-model';

/** When in a step the process is killed. */
const MOMENTS = ['asked', 'answering', 'tool', 'approval', 'decided', 'sub-agent', 'summary'] as const;
export type Moment = (typeof MOMENTS)[number];

export interface Kill {
  /** Not before this step of the thread's own agent. */
  from: number;
  moment: Moment;
  /** Milliseconds after that moment. */
  after: number;
}

/** Plans the kills, random but repeatable: spread over the steps and over every kind of moment. */
export function plannedKills(count: number, steps: number, random: () => number): Kill[] {
  const room = steps / (count + 1);
  return Array.from({ length: count }, (_, index) => ({
    from: Math.floor((index + 0.3 + random() * 0.6) * room),
    moment: MOMENTS[Math.floor(random() * MOMENTS.length)] ?? 'asked',
    after: random() < 0.4 ? 0 : Math.floor(random() * 40),
  }));
}

/** Kills the process at the planned moments, one after another. */
export class Killer {
  readonly done: Kill[] = [];
  private step = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly planned: Kill[],
    private readonly steps: number,
    private readonly kill: () => void,
  ) {}

  asked(asked: Asked): void {
    if (asked.kind === 'step') this.step = asked.n;
    if (asked.kind === 'step') {
      this.reached('asked');
      // The answer is sent as soon as this returns.
      this.reached('answering');
    }
    if (asked.kind === 'part') this.reached('sub-agent');
    if (asked.kind === 'summary') this.reached('summary');
  }

  reached(moment: Moment): void {
    const [next] = this.planned;
    if (next === undefined || this.timer !== undefined || next.from > this.step) return;
    // Skip a moment that does not occur near its step once the next kill is due.
    const following = this.planned[1]?.from ?? this.steps - 2;
    if (next.moment !== moment && this.step < following - 1) return;
    this.planned.shift();
    this.done.push(next);
    if (next.after === 0 && moment !== 'answering') this.kill();
    // Always set: each plan kills only one process.
    this.timer = setTimeout(() => this.kill(), next.after);
  }

  /** The process is gone; the next one may be killed. */
  restarted(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
