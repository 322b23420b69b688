import type { Parts } from '../contests';
import { imports } from './imports';
import { offload } from './offload';
import { longThread } from './soak';
import { steps } from './steps';
import { turns } from './turns';

/** The cases of the group `harness`. */
export const parts: Parts = { turns, steps, offload, soak: longThread, imports };
