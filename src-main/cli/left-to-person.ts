import type { Approval } from '../contract/approvals';
import type { CliOptions } from './options';

/**
 * Whether pending approvals wait for a person: also with `--approve all`, if changes could not be kept, as on a full disk.
 * Keeping them again and again would never end.
 */
export const isLeftToPerson = (
  approve: CliOptions['approve'],
  approvals: readonly Pick<Approval, 'outcome'>[],
): boolean => approve === 'policy' || approvals.some(({ outcome }) => outcome?.notKept !== undefined);
