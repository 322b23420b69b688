import { Settings } from '../app';
import { command } from '../command';

/** What the person chose for all projects. */
export const settingsCommands = {
  'settings.change': command(Settings.partial().strict(), Settings),
} as const;
