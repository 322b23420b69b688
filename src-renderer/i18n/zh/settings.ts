import type { settings as en } from '../en/settings';
import type { Same } from '../types';

export const settings: Same<typeof en> = {};
