import { command, nothing } from '../command';
import { UpdateView } from '../updates';

/** New versions of the app. */
export const updatesCommands = {
  'updates.read': command(nothing, UpdateView),
  /** Looks for a new version and downloads it. Answers immediately; `updates.changed` reports the rest. */
  'updates.check': command(nothing, UpdateView),
  /** Stops the check or the download. */
  'updates.cancel': command(nothing, UpdateView),
  /** Restarts into the downloaded version. Refused while an agent works. */
  'updates.restart': command(nothing, nothing),
} as const;
