import type { RehearsedCall } from '@contract/outcome';

const KEYS = {
  rehearsing: 'rehearsing',
  unchanged: 'unchanged',
  kept: 'kept',
  kept_ignored: 'keptIgnored',
  kept_in_part: 'keptInPart',
  discarded: 'discarded',
  ran: 'ran',
} as const;

/** The text for the outcome of a command that ran in a throwaway layer. What it made may be folders or a repository only. */
export const rehearsalKey = ({ state, paths }: Pick<RehearsedCall, 'state' | 'paths'>) =>
  state === 'kept' && paths === 0 ? 'keptAll' : KEYS[state];
