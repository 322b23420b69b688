import type { app as en } from '../en/app';
import type { Same } from '../types';

export const app: Same<typeof en> = {};
