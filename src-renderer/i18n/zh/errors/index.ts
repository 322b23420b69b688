import { wordsForErrors } from '../../error-texts';
import { approvals } from './approvals';
import { cli } from './cli';
import { data } from './data';
import { files } from './files';
import { general } from './general';
import { git } from './git';
import { mcp } from './mcp';
import { memories } from './memories';
import { models } from './models';
import { places } from './places';
import { routines } from './routines';
import { terminals } from './terminals';
import { threads } from './threads';

/** What went wrong, for every code in `src-main/contract/errors.ts`. */
export const errors = wordsForErrors({
  ...general,
  ...cli,
  ...files,
  ...threads,
  ...git,
  ...approvals,
  ...memories,
  ...places,
  ...routines,
  ...terminals,
  ...models,
  ...mcp,
  ...data,
});
