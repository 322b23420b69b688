/** The texts for the outcome of a command that ran in a throwaway layer, by its state. */
export const rehearsalKeys = {
  rehearsing: 'rehearsing',
  unchanged: 'unchanged',
  kept: 'kept',
  kept_ignored: 'keptIgnored',
  kept_in_part: 'keptInPart',
  discarded: 'discarded',
  ran: 'ran',
} as const;
