import { type Client, ProtocolError, type RequestOptions } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { ServerTool } from './tools/offered-tool';
import { type ResultContent, resourceContent } from './tools/results';

/** UTF-16 units of one description in a list. */
const MAX_DESCRIPTION = 500;

const tool = (title: string, description: string, properties: object, required: string[]): ServerTool => ({
  title,
  description,
  schema: { type: 'object', properties, required },
  saysReadOnly: true,
  saysDestructive: false,
});

/** Two tools for the agent, in addition to the server's tools, for servers that offer resources. */
export const RESOURCE_TOOLS: readonly ServerTool[] = [
  tool(
    'list_resources',
    'Lists the resources of this MCP server, such as documents, records and files, with their URIs. Read one with read_resource.',
    {
      cursor: { type: 'string', description: 'Cursor from the previous result, to continue a long list' },
    },
    [],
  ),
  tool(
    'read_resource',
    'Reads a resource of this MCP server.',
    { uri: { type: 'string', description: 'URI of the resource, from list_resources' } },
    ['uri'],
  ),
];

const ListArgs = z.object({ cursor: z.string().optional().catch(undefined) });
const ReadArgs = z.object({ uri: z.string() });

/** Runs one of `RESOURCE_TOOLS`. Rejects if the server reports an error, is gone, or `signal` aborts. */
export async function callResourceTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  options: RequestOptions,
): Promise<ResultContent> {
  if (name === 'list_resources') return listed(client, ListArgs.parse(args).cursor, options);
  const { contents } = await client.readResource({ uri: ReadArgs.parse(args).uri }, options);
  return resourceContent(contents);
}

async function listed(client: Client, cursor: string | undefined, options: RequestOptions): Promise<string> {
  // One page: the client's own method would load all of them.
  const { resources, nextCursor } = await client.request(
    { method: 'resources/list', params: cursor === undefined ? {} : { cursor } },
    options,
  );
  const templates = cursor === undefined ? await templatesOf(client, options) : [];
  const lines = [
    ...resources.map(({ uri, name, description, mimeType }) => line(uri, name, description, mimeType)),
    ...(templates.length === 0 ? [] : ['URI templates:']),
    ...templates.map((one) => line(one.uriTemplate, one.name, one.description, one.mimeType)),
    ...(nextCursor === undefined || nextCursor === ''
      ? []
      : [`[There are more: continue with cursor=${JSON.stringify(nextCursor)}.]`]),
  ];
  return lines.length === 0 ? 'The server has no resources now.' : lines.join('\n');
}

async function templatesOf(client: Client, options: RequestOptions) {
  try {
    return (await client.listResourceTemplates({}, options)).resourceTemplates;
  } catch (error) {
    // Many servers have resources but no templates, and say so in different ways.
    if (error instanceof ProtocolError) return [];
    throw error;
  }
}

function line(uri: string, name: string, description = '', mimeType = ''): string {
  const about = [name, mimeType].filter((part) => part !== '' && part !== uri).join(', ');
  const short =
    description.length > MAX_DESCRIPTION ? `${description.slice(0, MAX_DESCRIPTION)}…` : description;
  return `- ${uri}${about === '' ? '' : ` (${about})`}${short === '' ? '' : `: ${short}`}`;
}
