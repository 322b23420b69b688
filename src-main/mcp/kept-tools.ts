import { z } from 'zod';
import type { ToolList } from './connection';
import type { KeptValues } from './kept-values';

/** Before the key of a server. */
const TOOLS = 'mcp.tools:';

const Kept = z.object({
  digest: z.string(),
  list: z.object({
    tools: z.array(
      z.object({
        title: z.string(),
        description: z.string(),
        schema: z.record(z.string(), z.unknown()),
        saysReadOnly: z.boolean(),
        saysDestructive: z.boolean(),
      }),
    ),
    leftOut: z.array(z.object({ name: z.string(), why: z.string() })),
  }),
});

/** What servers listed when they were last up, so that a turn need not wait for them. */
export class KeptTools {
  constructor(private readonly kept: KeptValues) {}

  /** Null where it was configured differently then. */
  of(key: string, digest: string): ToolList | null {
    const kept = this.kept.get(TOOLS + key, Kept);
    return kept?.digest === digest ? kept.list : null;
  }

  keep(key: string, digest: string, list: ToolList): void {
    this.kept.set(TOOLS + key, { digest, list });
  }

  remove(key: string): void {
    this.kept.remove(TOOLS + key);
  }
}
