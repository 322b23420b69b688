import type { Settings } from './app';

/** Defaults for settings that the person has not changed. */
export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  language: 'system',
  model: 'offline:guide',
  onboarded: false,
  spending: { thread: null, day: null },
  fallbacks: [],
  notifications: true,
  turnNotifications: true,
  tray: true,
  titles: true,
  updates: true,
  contrast: 'system',
  motion: 'system',
  fontSize: 100,
  shortcuts: {},
};
