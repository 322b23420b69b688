import type { Parts } from '../contests';
import { turn } from './turn';

/** The cases of the group `changes`. */
export const parts: Parts = { turn };
