import type { sidebar as en } from '../en/sidebar';
import type { Same } from '../types';

export const sidebar: Same<typeof en> = {};
