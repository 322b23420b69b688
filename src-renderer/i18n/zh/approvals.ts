import type { approvals as en } from '../en/approvals';
import type { Same } from '../types';

export const approvals: Same<typeof en> = {};
