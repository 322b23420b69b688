import { z } from 'zod';
import { Settings } from '../app';

export const settingsEvents = [
  z.object({ type: z.literal('settings.changed'), settings: Settings }),
] as const;
