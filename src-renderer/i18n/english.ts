import type { RehearsedCall } from '@contract/outcome';
import { outcome } from './en/outcome';
import { REASONS } from './errors';
import { fill } from './fill';
import { rehearsalKeys } from './rehearsal-keys';

/** Reasons in English, for the model and the headless command: the same texts as in the window. */
export const english = REASONS.en;

/** What became of a command that ran in a throwaway layer, in English: `kept 2 files`. */
export const rehearsedInEnglish = ({ state, paths }: RehearsedCall): string =>
  fill('en', outcome[rehearsalKeys[state]], { count: paths });
