import {
  Client,
  type JSONRPCNotification,
  type JSONRPCResponse,
  type MessageExtraInfo,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { removeHiddenText } from '../../base/hidden-text';
import { isRecord } from '../../base/is-record';
import { isShallow } from '../../base/limited-json';
import { withPlainForm } from '../plain-form';
import { usedTool } from '../tools/tool-list';

// Only what is used of an answer: anything else that a server says may be wrong.
const Word = z.string().optional().catch(undefined);
const Named = z.string().min(1);
const Contents = z.union([
  z.object({ uri: z.string().catch('?'), mimeType: Word, text: z.string() }),
  z.object({ uri: z.string().catch('?'), mimeType: Word, blob: z.string() }),
]);
const Block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), mimeType: z.string(), data: z.string() }),
  z.object({ type: z.literal('resource'), resource: Contents }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: Word, mimeType: Word }),
]);
const Argument = z.object({
  name: Named,
  description: Word,
  required: z.boolean().optional().catch(undefined),
});
const Prompt = z.object({
  name: Named,
  title: Word,
  description: Word,
  arguments: z.array(Argument).optional().catch(undefined),
});
const About = { name: Word, title: Word, description: Word, mimeType: Word };
const Resource = z.object({ uri: Named, ...About });
const Template = z.object({ uriTemplate: Named, ...About });

const listOf =
  <T extends z.ZodType>(schema: T, fill: (one: z.infer<T>) => object = (one) => ({ ...Object(one) })) =>
  (raw: unknown): object[] => {
    const read = isShallow(raw) ? schema.safeParse(raw) : undefined;
    return read?.success === true ? [fill(read.data)] : [];
  };

/** The lists in answers, by name: what is used of each entry. */
const LISTS: Record<string, (raw: unknown) => unknown[]> = {
  tools: (raw) => [usedTool(raw)],
  content: (raw) => [blockOf(raw)],
  contents: listOf(Contents),
  messages: (raw) => [
    raw !== null && typeof raw === 'object' && 'content' in raw
      ? { ...raw, content: blockOf(raw.content) }
      : raw,
  ],
  prompts: listOf(Prompt),
  resources: listOf(Resource, (one) => ({ ...one, name: one.name ?? one.uri })),
  resourceTemplates: listOf(Template, (one) => ({ ...one, name: one.name ?? one.uriTemplate })),
};

/**
 * The SDK's client with more tolerance. A part of an answer that is not as the protocol says is left out, instead of the
 * whole answer: a call has happened, and other tools, prompts and resources work. Nothing that it gives hides text.
 */
export class TolerantClient extends Client {
  protected override _onresponse(response: JSONRPCResponse): void {
    removeHiddenText(response);
    const result: unknown = 'result' in response ? response.result : undefined;
    if (result !== null && typeof result === 'object') repair(result as Record<string, unknown>);
    super._onresponse(response);
  }

  /** Also for questions in the answer to a call, which the current revision has. */
  protected override _wrapHandler(
    method: string,
    handler: Parameters<Client['_wrapHandler']>[1],
  ): ReturnType<Client['_wrapHandler']> {
    const wrapped = super._wrapHandler(method, handler);
    return (request, context) =>
      wrapped(
        method === 'elicitation/create' && isRecord(request.params) && isShallow(request.params)
          ? { ...request, params: withPlainForm(request.params) }
          : request,
        context,
      );
  }

  protected override _onnotification(raw: JSONRPCNotification, extra?: MessageExtraInfo): void {
    removeHiddenText(raw);
    super._onnotification(raw, extra);
  }
}

function repair(result: Record<string, unknown>): void {
  for (const [name, used] of Object.entries(LISTS)) {
    const list = result[name];
    if (Array.isArray(list)) result[name] = list.flatMap(used);
    else if (list === null) delete result[name];
  }
  const { structuredContent: data, isError } = result;
  if (data === null) delete result.structuredContent;
  // Server libraries wrap a text, a number or a list like this.
  else if (data !== undefined && (typeof data !== 'object' || Array.isArray(data)))
    result.structuredContent = { result: data };
  if (isError !== undefined && typeof isError !== 'boolean')
    result.isError = isError === 'true' || isError === 1;
}

function blockOf(raw: unknown): object {
  const read = isShallow(raw) ? Block.safeParse(raw) : undefined;
  if (read?.success !== true || !isReadable(read.data)) return { type: 'text', text: leftOut(raw) };
  return read.data.type === 'resource_link'
    ? { ...read.data, name: read.data.name ?? read.data.uri }
    : read.data;
}

/** Whether its bytes are base64. */
function isReadable(block: z.infer<typeof Block>): boolean {
  const data =
    'data' in block ? block.data : 'resource' in block && 'blob' in block.resource ? block.resource.blob : '';
  return !/[^A-Za-z0-9+/=\s]/.test(data);
}

/** UTF-16 units of the type of a part. */
const MAX_TYPE = 40;

function leftOut(raw: unknown): string {
  const type =
    raw !== null && typeof raw === 'object' && 'type' in raw ? String(raw.type).slice(0, MAX_TYPE) : '?';
  return `[A part of the type ${JSON.stringify(type)} was left out, because it is not as the protocol says.]`;
}
