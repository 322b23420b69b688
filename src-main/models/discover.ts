import { z } from 'zod';
import { parseJson } from '../base/limited-json';
import { boundedText, guardedFetch } from '../base/network/guarded-fetch';
import { OLLAMA_CONTEXT, OLLAMA_URL } from './ollama';
import type { ModelInfo } from './provider';

const LM_STUDIO_URL = 'http://127.0.0.1:1234/v1';

/**
 * Timeout in milliseconds. A server on this machine responds immediately or does not exist, and startup must not wait for
 * it.
 */
const ANSWERS_WITHIN = 500;

/** Maximum bytes of a model list. */
const MAX_LIST = 4_000_000;

/** A server found on this machine, with its models. */
export interface LocalServer {
  baseUrl: string;
  models: readonly ModelInfo[];
}

/** Null: none responded. */
export interface Discovered {
  ollama: LocalServer | null;
  lmStudio: LocalServer | null;
}

export const NOTHING_DISCOVERED: Discovered = { ollama: null, lmStudio: null };

/** Looks for both in parallel, within half a second. Never rejects. */
export async function discoverLocal(
  { ollamaUrl = OLLAMA_URL, lmStudioUrl = LM_STUDIO_URL }: { ollamaUrl?: string; lmStudioUrl?: string } = {},
  signal?: AbortSignal,
): Promise<Discovered> {
  const [ollama, lmStudio] = await Promise.all([
    discoverOllama(ollamaUrl, signal),
    discoverOpenAICompatible(lmStudioUrl, signal),
  ]);
  return { ollama, lmStudio };
}

const OllamaTags = z.object({ models: z.array(z.object({ name: z.string().min(1) })) });

/** An Ollama server's models; null if none responds within half a second. Never rejects. */
export async function discoverOllama(baseUrl: string, signal?: AbortSignal): Promise<LocalServer | null> {
  const tags = OllamaTags.safeParse(await getJson(`${bare(baseUrl)}/api/tags`, signal));
  if (!tags.success) return null;
  const models = tags.data.models.map(({ name }) => ({ name, label: name, contextWindow: OLLAMA_CONTEXT }));
  return { baseUrl, models };
}

const ModelList = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });

/** The models of an OpenAI-compatible server without a key, such as LM Studio, except embedding models. */
async function discoverOpenAICompatible(baseUrl: string, signal?: AbortSignal): Promise<LocalServer | null> {
  const list = ModelList.safeParse(await getJson(`${bare(baseUrl)}/models`, signal));
  if (!list.success) return null;
  const chat = list.data.data.filter(({ id }) => !/embed/iu.test(id));
  return { baseUrl, models: chat.map(({ id }) => ({ name: id, label: id })) };
}

async function getJson(url: string, signal: AbortSignal | undefined): Promise<unknown> {
  const timeout = AbortSignal.timeout(ANSWERS_WITHIN);
  try {
    const response = await guardedFetch(url, {
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

const bare = (url: string) => url.replace(/\/+$/u, '');
