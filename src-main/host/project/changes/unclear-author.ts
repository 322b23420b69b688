import type { ChangeAuthor } from '../../../contract/changes';
import { optional } from '../../../contract/shared/optional';

/** The author of what changed while a call was cut off, or while its job runs: it may also have been the person. */
export const unclear = ({
  threadId,
  callId,
  command,
}: Extract<ChangeAuthor, { by: 'agent' }>): ChangeAuthor => ({
  by: 'unclear',
  threadId,
  callId,
  ...optional({ command }),
});
