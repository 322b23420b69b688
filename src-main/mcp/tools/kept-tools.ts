import { z } from 'zod';
import { Reason } from '../../contract/shared/reasons';
import type { KeptValues } from '../kept-values';
import type { ToolList } from './tool-list';

/** Prefix of a server's key. */
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
    leftOut: z.array(z.object({ name: z.string(), why: Reason })),
  }),
});

/** The tools that servers listed when they last ran, so that a turn need not wait for them. */
export class KeptTools {
  constructor(private readonly kept: KeptValues) {}

  /** Null if it was configured differently then. */
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
