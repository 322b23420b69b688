import { Settings } from '../app';
import { command } from '../command';

/** The person's settings for all projects. */
export const settingsCommands = {
  'settings.change': command(Settings.partial().strict(), Settings),
} as const;
