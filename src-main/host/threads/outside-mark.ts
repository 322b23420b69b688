import type { BaseMessage } from '@langchain/core/messages';
import { z } from 'zod';
import type { OutsideSource } from '../../approvals/call';

/** Key in `additional_kwargs` of a message: where its text came from. Saved with the conversation. */
const KEY = 'deepdesk_outside';

const Kind = z.enum(['page', 'server', 'download', 'attachment', 'import']);
const Sources = z.array(z.object({ kind: Kind, name: z.string(), id: z.string().optional() }));

/** What a message with text from outside has in its `additional_kwargs`. */
export const outsideMark = (sources: readonly OutsideSource[]): Record<string, unknown> => ({
  [KEY]: sources,
});

/** Such a mark of a message, to be saved beside it; undefined if it has none. */
export const markOf = ({ additional_kwargs: { [KEY]: saved } }: BaseMessage) =>
  saved === undefined ? undefined : { [KEY]: saved };

/** Where the text of a message came from. Few messages have a mark, and reading none has its cost. */
export const sourcesOf = ({ additional_kwargs: { [KEY]: saved } }: BaseMessage): readonly OutsideSource[] =>
  saved === undefined ? [] : (Sources.safeParse(saved).data ?? []);
