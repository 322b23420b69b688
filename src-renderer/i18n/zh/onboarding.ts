import type { onboarding as en } from '../en/onboarding';
import type { Same } from '../types';

export const onboarding: Same<typeof en> = {};
