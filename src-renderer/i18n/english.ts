import { reasons } from './en/reasons';
import { reasonWords } from './reason-words';

/** Reasons in English, for the model and the headless command: the same texts as in the window. */
export const english = reasonWords('en', reasons);
