import { z } from 'zod';
import { command, done, nothing } from '../command';
import { ViewId } from '../ids';

/** The windows themselves. */
export const windowCommands = {
  /** Opens another window with that view. Answers the views of all windows. `unsupported` without windows. */
  'window.open': command(z.strictObject({ view: ViewId }), z.object({ views: z.array(z.string()) })),
  /** The person looks at this window now: what wants to be shown is shown here. Looks for missing folders too. */
  'window.front': command(nothing, done),
} as const;
