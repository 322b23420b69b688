import { z } from 'zod';
import { command, done, nothing } from '../command';
import { ThreadId, ViewId } from '../ids';
import { MAX_ASKED_ERASED } from '../limits';

/** The windows themselves. */
export const windowCommands = {
  /** Opens another window with that view. Returns the views of all windows. `unsupported` without windows. */
  'window.open': command(z.strictObject({ view: ViewId }), z.object({ views: z.array(z.string()) })),
  /** The person is using this window now, so it shows whatever needs to be shown. Also checks for missing folders. */
  'window.front': command(nothing, done),
  /** Writes what pages stored to the disk. Chromium itself takes from five seconds to a minute. */
  'window.flush': command(nothing, done),
  /** Which of these threads are erased: they were deleted and can no longer be restored, so pages keep nothing of them. */
  'window.erased': command(
    z.strictObject({ threads: z.array(ThreadId).max(MAX_ASKED_ERASED) }),
    z.object({ threads: z.array(ThreadId) }),
  ),
} as const;
