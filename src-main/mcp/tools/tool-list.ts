import { setImmediate as turn } from 'node:timers/promises';
import { Validator } from '@langchain/core/utils/json_schema';
import type { Client, RequestOptions, Tool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { isShallow } from '../../base/limited-json';
import { isCheapToCheck } from '../../base/schema-cost';
import { because, type Reason } from '../../contract/shared/reasons';
import type { ServerTool } from './offered-tool';
import { plainSchema } from './plain-schema';
import { topObject } from './top-object';

/** Maximum tools used from one server; a request to a model has space for about a hundred. */
const MAX_TOOLS = 128;
/** Maximum tools that are listed as left out. A server that lists more is read no further. */
const MAX_LEFT_OUT = 500;
/** Maximum pages of a tool list; a faulty server may always name a next page. */
const MAX_PAGES = 50;
/** Steps for checking an empty object. */
const MAX_STEPS_WHEN_EMPTY = 1_000;
/** Tools that are read before other work gets its turn. */
const TOOLS_PER_SLICE = 4;
/** UTF-16 units of a description, which is sent with every request. */
const MAX_DESCRIPTION = 4_000;
/** UTF-16 units of a name. The protocol recommends 128. */
export const MAX_NAME = 256;

export interface ToolList {
  tools: ServerTool[];
  leftOut: { name: string; why: Reason }[];
}

/** The listed tools, and what a call of each needs. */
export interface ReadToolList extends ToolList {
  /** By name. Without the schema of their results: the model reads whatever arrives, so nothing validates it. */
  definitions: Map<string, Tool>;
}

/** What is used of a tool. Anything else that a server says about it may be wrong. */
const UsedTool = z.object({
  name: z.string().min(1).max(MAX_NAME),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  annotations: z
    .object({ readOnlyHint: z.boolean().optional(), destructiveHint: z.boolean().optional() })
    .optional(),
});

/** Stands in a list for a tool that cannot be used: a tool without a name. Its title is the tool's, and it says why. */
const stand = (raw: unknown, isDeep: boolean): Tool => ({
  name: '',
  title: nameOf(raw),
  description: isDeep ? TOO_DEEP : '',
  inputSchema: { type: 'object' },
});
const TOO_DEEP = 'too deep';

/** What is used of a tool in a server's answer; for an invalid one, an entry that says so. */
export function usedTool(raw: unknown): unknown {
  const isFlat = isShallow(raw);
  const read = isFlat ? UsedTool.safeParse(raw) : undefined;
  return read?.success === true ? read.data : stand(raw, !isFlat);
}

/** All tools of a server. Rejects like any request. */
export async function readTools(client: Client, options: RequestOptions): Promise<ReadToolList> {
  const list: ReadToolList = { tools: [], leftOut: [], definitions: new Map() };
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    // One page: the client's own method would refuse all of them if the last one never comes.
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, options);
    for (const [index, tool] of tools.entries()) {
      if (list.leftOut.length === MAX_LEFT_OUT) break;
      if (index % TOOLS_PER_SLICE === 0) await turn();
      const why = take(tool, list);
      if (why !== null) list.leftOut.push({ name: tool.name === '' ? (tool.title ?? '?') : tool.name, why });
    }
    if (nextCursor === undefined || nextCursor === '' || list.leftOut.length === MAX_LEFT_OUT) break;
    cursor = nextCursor;
  }
  return list;
}

/** Adds a tool to the list. Returns why it is left out instead; null if it is not. */
function take(tool: Tool, list: ReadToolList): Reason | null {
  const { name, description = '', inputSchema, annotations } = tool;
  if (name === '') return description === TOO_DEEP ? BROKEN : because('mcp_tool_form');
  const schema = plainSchema(inputSchema);
  if (schema === null || !isUsable(schema)) return BROKEN;
  if (list.definitions.has(name)) return because('mcp_tool_twice');
  if (list.tools.length >= MAX_TOOLS) return because('mcp_tools_over_limit', { limit: MAX_TOOLS });
  list.definitions.set(name, tool);
  list.tools.push({
    title: name,
    description:
      description.length > MAX_DESCRIPTION ? `${description.slice(0, MAX_DESCRIPTION)}…` : description,
    schema: topObject(schema),
    saysReadOnly: annotations?.readOnlyHint === true,
    saysDestructive: annotations?.destructiveHint === true,
  });
  return null;
}

const nameOf = (raw: unknown): string =>
  raw !== null && typeof raw === 'object' && 'name' in raw && typeof raw.name === 'string'
    ? raw.name.slice(0, MAX_NAME)
    : '?';

function isUsable(schema: Record<string, unknown>): boolean {
  if (!isCheapToCheck(schema, {}, MAX_STEPS_WHEN_EMPTY)) return false;
  try {
    new Validator(schema, '7', false).validate({});
    return true;
  } catch {
    return false;
  }
}

const BROKEN = because('mcp_tool_schema');
