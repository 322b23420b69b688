import { REASONS } from './errors';

/** Reasons in English, for the model and the headless command: the same texts as in the window. */
export const english = REASONS.en;
