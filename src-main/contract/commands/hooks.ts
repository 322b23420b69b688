import { z } from 'zod';
import { command, done } from '../command';
import { HooksState } from '../hooks';
import { ProjectId } from '../ids';

/** Hooks of a project: commands that run before and after tool calls and at the end of a turn. */
export const hooksCommands = {
  'hooks.list': command(z.strictObject({ projectId: ProjectId }), HooksState),
  /** Whether the hooks may run with exactly the content of `digest`. `stale` if it has changed. */
  'hooks.consent': command(
    z.strictObject({ projectId: ProjectId, digest: z.string().max(200), allowed: z.boolean() }),
    done,
  ),
  'hooks.setEnabled': command(z.strictObject({ projectId: ProjectId, enabled: z.boolean() }), done),
} as const;
