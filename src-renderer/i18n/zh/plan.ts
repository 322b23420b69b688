import type { plan as en } from '../en/plan';
import type { Same } from '../types';

export const plan: Same<typeof en> = {};
