import { z } from 'zod';
import { parseJson } from '../base/limited-json';
import { boundedText, guardedFetch } from '../base/network/guarded-fetch';
import { optional } from '../contract/shared/optional';
import { keyHeaders } from './azure';
import { priceIn } from './listed-prices';
import { isOfLlamaCpp, windowIn, windowInProps, windowsInShow } from './listed-windows';
import { OLLAMA_CONTEXT, OLLAMA_URL, ollama } from './ollama';
import { openaiCompatible } from './openai-compatible';
import { baseOf, type ModelInfo, type Provider, queryOf } from './provider';

/** LM Studio, and llama.cpp's server. */
const COMPATIBLE_URLS = ['http://127.0.0.1:1234/v1', 'http://127.0.0.1:8080/v1'];

/**
 * Timeout in milliseconds. A server on this machine responds immediately or does not exist, and startup must not wait for
 * it.
 */
const ANSWERS_WITHIN = 500;
/** For the person's own server, which may be far away. */
const OWN_ANSWERS_WITHIN = 5_000;

/** For what a list does not tell. Some servers do not answer at unknown paths. */
const MORE_WITHIN = 1_000;

/** Maximum number of Ollama's models that are asked about one by one. */
const MAX_SHOWN = 100;

/** Maximum bytes of a model list. */
const MAX_LIST = 4_000_000;

/** A server that answered, with its models. */
export interface LocalServer {
  baseUrl: string;
  models: readonly ModelInfo[];
}

/** Null: none responded. */
export interface Discovered {
  ollama: LocalServer | null;
  /** With the API of OpenAI: the person's own server, or one on this machine. */
  compatible: LocalServer | null;
}

export const NOTHING_DISCOVERED: Discovered = { ollama: null, compatible: null };

interface DiscoverOptions {
  ollamaUrl?: string;
  /** The servers to ask, the preferred one first. */
  compatibleUrls?: readonly string[];
  /** The person's own server with the OpenAI API, instead of the above. The key is sent to it. */
  own?: { baseUrl: string; key: string | null };
}

/**
 * Looks for all in parallel, within half a second; the person's own server has five. What they then tell of context windows takes
 * a second at most. Never rejects.
 */
export async function discoverModels(
  { ollamaUrl = OLLAMA_URL, compatibleUrls = COMPATIBLE_URLS, own }: DiscoverOptions = {},
  signal?: AbortSignal,
): Promise<Discovered> {
  const asked =
    own === undefined
      ? compatibleUrls.map((url) => discoverOpenAICompatible(url, null, ANSWERS_WITHIN, signal))
      : [discoverOpenAICompatible(own.baseUrl, own.key, OWN_ANSWERS_WITHIN, signal)];
  const [found, ...compatible] = await Promise.all([discoverOllama(ollamaUrl, signal), ...asked]);
  return { ollama: found, compatible: compatible.find((one) => one !== null) ?? null };
}

const OllamaTags = z.object({ models: z.array(z.unknown()) });
const OllamaModel = z
  .looseObject({ name: z.string().min(1) })
  .transform((entry): Listed => ({ name: entry.name, entry }));

/** An Ollama server's models with their context windows; null if none responds within half a second. Never rejects. */
export async function discoverOllama(baseUrl: string, signal?: AbortSignal): Promise<LocalServer | null> {
  const tags = OllamaTags.safeParse(
    await getJson(listAt(ollama, baseUrl, '/api/tags'), null, ANSWERS_WITHIN, signal),
  );
  if (!tags.success) return null;
  const models = listed(tags.data.models, OllamaModel).map(async ({ name }, index) => {
    if (index >= MAX_SHOWN) return { name, label: name, contextWindow: OLLAMA_CONTEXT };
    const show = await getJson(listAt(ollama, baseUrl, '/api/show'), null, MORE_WITHIN, signal, {
      model: name,
    });
    const { max, own = OLLAMA_CONTEXT } = windowsInShow(show);
    const contextWindow = Math.min(own, max ?? own);
    return { name, label: name, contextWindow, ...optional({ maxContextWindow: max }) };
  });
  return { baseUrl, models: await Promise.all(models) };
}

/** Together and GitHub send the list without an object around it. */
const ModelList = z
  .union([z.object({ data: z.array(z.unknown()) }), z.array(z.unknown())])
  .transform((list) => (Array.isArray(list) ? list : list.data));
const ListedModel = z
  .looseObject({ id: z.string().min(1) })
  .transform((entry): Listed => ({ name: entry.id, entry }));

interface Listed {
  name: string;
  entry: unknown;
}

/** Each name once: Mistral lists some twice. An entry of another kind does not hide the rest. */
function listed(entries: readonly unknown[], kind: z.ZodType<Listed>): Listed[] {
  const read = entries.map((entry) => kind.safeParse(entry)).flatMap(({ data }) => data ?? []);
  return [...new Map(read.toReversed().map((one) => [one.name, one])).values()].toReversed();
}

/** The models of an OpenAI-compatible server, such as LM Studio, except embedding models. */
async function discoverOpenAICompatible(
  baseUrl: string,
  key: string | null,
  within: number,
  signal?: AbortSignal,
): Promise<LocalServer | null> {
  const list = ModelList.safeParse(
    await getJson(listAt(openaiCompatible, baseUrl, '/models'), key, within, signal),
  );
  if (!list.success) return null;
  const chat = listed(list.data, ListedModel).filter(({ name }) => !/embed/iu.test(name));
  const windowOf = await windowsOf(chat, (path) =>
    getJson(listAt(openaiCompatible, baseUrl, path), key, MORE_WITHIN, signal),
  );
  const models = chat.map(({ name, entry }) => ({
    name,
    label: name,
    ...optional({ contextWindow: windowOf(name) ?? windowIn(entry), price: priceIn(entry) }),
  }));
  return { baseUrl, models };
}

/**
 * What servers tell of context windows besides the list: llama.cpp's always does, and the list of LM Studio has none. Either
 * may want a key.
 */
async function windowsOf(
  models: readonly Listed[],
  get: (path: string) => Promise<unknown>,
): Promise<(name: string) => number | undefined> {
  if (models.some(({ entry }) => isOfLlamaCpp(entry))) {
    const window = windowInProps(await get('/../props'));
    return () => window;
  }
  if (models.some(({ entry }) => windowIn(entry) !== undefined)) return () => undefined;
  const own = ModelList.safeParse(await get('/../api/v0/models'));
  const windows = new Map(
    listed(own.data ?? [], ListedModel).map(({ name, entry }) => [name, windowIn(entry)]),
  );
  return (name) => windows.get(name);
}

function listAt(provider: Provider, baseUrl: string, path: string): string {
  const query = queryOf(baseUrl);
  return `${baseOf(provider, baseUrl)}${path}${query === '' ? '' : `?${query}`}`;
}

async function getJson(
  url: string,
  key: string | null,
  within: number,
  signal: AbortSignal | undefined,
  body?: object,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(within);
  try {
    const response = await guardedFetch(url, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      ...(key === null ? {} : { headers: keyHeaders(url, { authorization: `Bearer ${key}` }) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (!response.ok) return null;
    const read = parseJson(await boundedText(response, MAX_LIST), { maxBytes: MAX_LIST });
    return 'value' in read ? read.value : null;
  } catch {
    // No server, a slow one, and one that does not return JSON all count as none.
    return null;
  }
}
