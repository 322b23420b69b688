import { z } from 'zod';
import { command, done, nothing } from '../command';
import { ViewId } from '../ids';

/** The windows themselves. */
export const windowCommands = {
  /** Opens another window with that view. Returns the views of all windows. `unsupported` without windows. */
  'window.open': command(z.strictObject({ view: ViewId }), z.object({ views: z.array(z.string()) })),
  /** The person is using this window now, so it shows whatever needs to be shown. Also checks for missing folders. */
  'window.front': command(nothing, done),
  /** Writes what pages stored to the disk. Chromium itself takes from five seconds to a minute. */
  'window.flush': command(nothing, done),
} as const;
