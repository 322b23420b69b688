import { z } from 'zod';
import { Reason } from './shared/reasons';

/**
 * How this Deepdesk gets a new version. `self`: it downloads and installs one. `unconfigured`: it could, but its build names
 * no feed or no key. The others are replaced by the person: a package manager, an unpacked archive, the portable program, or
 * a clone of the repository.
 */
export const UpdateWay = z.enum(['self', 'unconfigured', 'deb', 'rpm', 'archive', 'portable', 'source']);
export type UpdateWay = z.infer<typeof UpdateWay>;

export const UpdateState = z.discriminatedUnion('phase', [
  /** Not checked in this run. */
  z.object({ phase: z.literal('idle') }),
  z.object({ phase: z.literal('checking') }),
  z.object({ phase: z.literal('current'), checkedAt: z.number() }),
  z.object({ phase: z.literal('downloading'), version: z.string(), percent: z.number().int() }),
  /** It is installed when Deepdesk quits. */
  z.object({
    phase: z.literal('ready'),
    version: z.string(),
    /** What changed, as plain text. */
    notes: z.string(),
    /** Deepdesk can restart into it. */
    restarts: z.boolean(),
  }),
  z.object({ phase: z.literal('failed'), why: Reason }),
]);
export type UpdateState = z.infer<typeof UpdateState>;

export const UpdateView = z.object({ way: UpdateWay, state: UpdateState });
export type UpdateView = z.infer<typeof UpdateView>;
