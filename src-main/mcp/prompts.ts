import type { Client } from '@modelcontextprotocol/client';
import { MAX_NAME } from './tools/tool-list';

/** A prompt that a server offers to the person as the start of a message. */
export interface ServerPrompt {
  name: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
}

/** Maximum prompts shown for one server. */
const MAX_PROMPTS = 100;
const MAX_PAGES = 10;
const MAX_ARGUMENTS = 50;
/** Maximum UTF-16 units of a prompt: it goes into the composer, where a person reads it. */
const MAX_TEXT = 200_000;
const MAX_DESCRIPTION = 500;

type Options = { signal: AbortSignal; timeout: number };

/** Empty if the server has no prompts. Rejects like any request. */
export async function promptsOf(client: Client, options: Options): Promise<ServerPrompt[]> {
  if (client.getServerCapabilities()?.prompts === undefined) return [];
  const found: ServerPrompt[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && found.length < MAX_PROMPTS; page++) {
    const { prompts, nextCursor } = await client.listPrompts(cursor === undefined ? {} : { cursor }, options);
    for (const one of prompts) {
      const { arguments: args = [] } = one;
      const isNamed = [one, ...args].every(({ name }) => name.length <= MAX_NAME);
      if (!isNamed || args.length > MAX_ARGUMENTS) continue;
      found.push({
        name: one.name,
        description: (one.description ?? one.title ?? '').slice(0, MAX_DESCRIPTION),
        arguments: args.map(({ name, description = '', required = false }) => ({
          name,
          description: description.slice(0, MAX_DESCRIPTION),
          required,
        })),
      });
    }
    if (nextCursor === undefined || nextCursor === '') break;
    cursor = nextCursor;
  }
  return found.slice(0, MAX_PROMPTS);
}

/** The prompt as one text. Content that is not text is named. Rejects like any request. */
export async function promptText(
  client: Client,
  name: string,
  args: Record<string, string>,
  options: Options,
): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: args }, options);
  const parts = messages.map(({ role, content }) => {
    const text = textOf(content);
    return role === 'assistant' ? `[As if you had said:]\n${text}` : text;
  });
  const whole = parts.join('\n\n');
  return whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT)}\n[The prompt was cut here.]` : whole;
}

type Content = Awaited<ReturnType<Client['getPrompt']>>['messages'][number]['content'];

function textOf(content: Content): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'resource':
      return 'text' in content.resource && typeof content.resource.text === 'string'
        ? `[${content.resource.uri}]\n${content.resource.text}`
        : `[The file ${content.resource.uri} is left out.]`;
    case 'resource_link':
      return `[${content.uri}]`;
    default:
      return `[An ${content.type === 'image' ? 'image' : 'audio recording'} is left out.]`;
  }
}
