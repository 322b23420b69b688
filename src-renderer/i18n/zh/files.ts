import type { files as en } from '../en/files';
import type { Same } from '../types';

export const files: Same<typeof en> = {};
