import type { BaseMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { OutsideSource } from '../../contract/shared/outside-source';

/** Key in `additional_kwargs` of a message: where its text came from. Saved with the conversation. */
const KEY = 'deepdesk_outside';

const Sources = z.array(OutsideSource);

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
