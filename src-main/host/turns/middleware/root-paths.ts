import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { optional } from '../../../contract/shared/optional';
import { canonicalArguments } from '../../../harness/tools/arguments';
import { descriptorOf, displayOf } from '../../../harness/tools/catalogue';

/** Key in `additional_kwargs`: maps a call id to the path that the model gave. */
const GIVEN = 'deepdesk_given_paths';

/** The project's path for a relative one, or one that takes the project folder for the root; null if it means something else. */
export type FindInProject = (
  path: string,
  operation: 'read' | 'write',
  /** Paths of the thread's own files. */
  files: { has(path: string): boolean },
) => Promise<string | null>;

/**
 * Some models name files as if the project folder were the root, `/src/a.ts`, or relative to it. Their calls get the project's
 * path before anything judges them. `files`: the thread's own files, which have such paths.
 */
export async function withProjectPaths(
  message: AIMessage,
  files: Readonly<Record<string, unknown>>,
  find: FindInProject,
): Promise<AIMessage> {
  const given: Record<string, string> = {};
  let isChanged = false;
  const own = { has: (path: string) => isAmong(files, path) };
  const calls = await Promise.all(
    (message.tool_calls ?? []).map(async (call) => {
      const { path } = descriptorOf(call.name) ?? {};
      if (path === undefined || call.id === undefined) return call;
      const args = canonicalArguments(call.name, call.args);
      const named = args[path.argument] ?? folderOf(call.name);
      if (typeof named !== 'string' || isAmong(files, named)) return call;
      const found = await find(named, path.operation, own);
      if (found === null) return call;
      isChanged = true;
      // A relative path has only one meaning, so the model needs no note.
      if (named.startsWith('/')) given[call.id] = named;
      return { ...call, args: { ...args, [path.argument]: found } };
    }),
  );
  if (!isChanged) return message;
  // OpenAI's raw copy of the calls would be sent back instead of `tool_calls`.
  const { tool_calls: _, ...kwargs } = message.additional_kwargs;
  return new AIMessage({
    content: message.content,
    additional_kwargs: { ...kwargs, [GIVEN]: given },
    response_metadata: message.response_metadata,
    tool_calls: calls,
    invalid_tool_calls: [],
    ...optional({ id: message.id, name: message.name, usage_metadata: message.usage_metadata }),
  });
}

/** A list or a search by name without a folder is of the project folder, as the person reads it. */
const folderOf = (tool: string): string | undefined => {
  const display = displayOf(tool);
  return display === 'list' || display === 'match' ? '.' : undefined;
};

const isAmong = (files: Readonly<Record<string, unknown>>, path: string): boolean =>
  Object.hasOwn(files, path) || Object.keys(files).some((file) => file.startsWith(`${path}/`));

/** Tells the model that its path was read as one of the project; empty for other calls. */
export function noteOnPath(messages: readonly BaseMessage[], callId: string, used: unknown): string {
  const path = givenPaths(answerWith(messages, callId))[callId];
  return typeof path === 'string' && typeof used === 'string'
    ? `[There is nothing at ${path}. This used ${used} in the project folder.]`
    : '';
}

/** Tells the model that its new file is at no place on the computer. It has been told about files that were there before. */
export const noteOnScratch = (tool: string, path: unknown, files: unknown): string =>
  displayOf(tool) === 'write' && typeof path === 'string' && !Object.hasOwn(Object(files), path)
    ? `[${path} is in no folder of this project, so this is a scratch file of the conversation. Nothing was written to the disk. Commands and the person's programs don't see it.]`
    : '';

/** The answer that made the call: near the end, so the search does not go through a long history. */
const answerWith = (messages: readonly BaseMessage[], callId: string): AIMessage | undefined =>
  messages.findLast(
    (message): message is AIMessage =>
      AIMessage.isInstance(message) && message.tool_calls?.some(({ id }) => id === callId) === true,
  );

function givenPaths(answer: AIMessage | undefined): Readonly<Record<string, unknown>> {
  const table = answer?.additional_kwargs[GIVEN];
  return table === null || typeof table !== 'object' ? {} : (table as Record<string, unknown>);
}
