import { AppSnapshot } from '../app';
import { command, nothing } from '../command';

/** The app as a whole. */
export const appCommands = {
  /** The app's state. From now on, this connection receives app events. */
  'app.open': command(nothing, AppSnapshot),
} as const;
