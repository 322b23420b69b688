import { AppSnapshot } from '../app';
import { command, nothing } from '../command';

/** The app as a whole. */
export const appCommands = {
  /** The app's state; from now on this connection gets app events. */
  'app.open': command(nothing, AppSnapshot),
} as const;
