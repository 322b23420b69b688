import type { Client, EmbeddedResource, RequestOptions } from '@modelcontextprotocol/client';

/** A resource that the person can attach to a message. */
export interface ServerResource {
  uri: string;
  name: string;
  description: string;
}

/** The content of a resource, to be attached. */
export interface ResourceFile {
  name: string;
  bytes: Buffer;
  isText: boolean;
}

/** Maximum resources offered of one server, and requests for them. */
const MAX_RESOURCES = 300;
const MAX_PAGES = 10;
const MAX_URI = 2_000;
const MAX_DESCRIPTION = 200;

/** Empty if the server has no resources. Rejects like any request. */
export async function resourcesOf(client: Client, options: RequestOptions): Promise<ServerResource[]> {
  if (client.getServerCapabilities()?.resources === undefined) return [];
  const found: ServerResource[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && found.length < MAX_RESOURCES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const { resources, nextCursor } = await client.request({ method: 'resources/list', params }, options);
    for (const { uri, name, title, description = '' } of resources)
      if (uri.length <= MAX_URI)
        found.push({
          uri,
          name: (title ?? name).slice(0, 200),
          description: description.slice(0, MAX_DESCRIPTION),
        });
    if (nextCursor === undefined || nextCursor === '') break;
    cursor = nextCursor;
  }
  return found.slice(0, MAX_RESOURCES);
}

/** The content of a resource as a file. Rejects like any request. */
export async function resourceFile(
  client: Client,
  uri: string,
  options: RequestOptions,
): Promise<ResourceFile> {
  const { contents } = await client.readResource({ uri }, options);
  return fileOf(uri, contents);
}

/** For several contents, the texts with their addresses; otherwise the first content. */
export function fileOf(uri: string, contents: readonly EmbeddedResource['resource'][]): ResourceFile {
  const texts = contents.flatMap((one) => ('text' in one ? [one] : []));
  const [first] = contents;
  if (texts.length === 0 && first !== undefined && 'blob' in first)
    return { name: nameOf(uri, first.mimeType), bytes: Buffer.from(first.blob, 'base64'), isText: false };
  const text = texts.map((one) => (texts.length > 1 ? `[${one.uri}]\n${one.text}` : one.text)).join('\n');
  return { name: nameOf(uri, texts[0]?.mimeType ?? 'text/plain'), bytes: Buffer.from(text), isText: true };
}

const EXTENSIONS: Partial<Record<string, string>> = {
  'text/plain': '.txt',
  'text/markdown': '.md',
  'text/html': '.html',
  'text/csv': '.csv',
  'application/json': '.json',
  'application/pdf': '.pdf',
  'image/png': '.png',
  'image/jpeg': '.jpg',
};

/** The last part of the address, with an extension. */
function nameOf(uri: string, mimeType = ''): string {
  const [path = ''] = uri.split(/[?#]/);
  const last = path.split('/').filter(Boolean).at(-1) ?? 'resource';
  const plain = last.replace(/^[a-z][a-z0-9+.-]*:/i, '').slice(-100) || 'resource';
  return /\.[a-z0-9]{1,8}$/i.test(plain) ? plain : `${plain}${EXTENSIONS[mimeType] ?? ''}`;
}
