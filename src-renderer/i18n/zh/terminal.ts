import type { terminal as en } from '../en/terminal';
import type { Same } from '../types';

export const terminal: Same<typeof en> = {};
