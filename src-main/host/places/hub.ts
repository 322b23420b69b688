import { z } from 'zod';
import { parseJson } from '../../base/limited-json';
import { guardedFetch } from '../../base/network/guarded-fetch';
import type { PlaceOptions } from '../../contract/places';
import { fail, ok, type Result } from '../../contract/result';
import { isFailure } from '../../harness/backends';
import { ContextHubBackend } from '../../harness/backends/context-hub/context-hub';
import type { PlaceKindModule } from './place-kind';

const LANGSMITH = 'https://api.smith.langchain.com';
/** Milliseconds for one request. */
const REQUEST_LIMIT = 20_000;
/** Milliseconds after which to check for other people's commits. */
const MAX_AGE = 3_000;

/** Bytes of the answer about a key. */
const MAX_SETTINGS = 100_000;
const Settings = z.object({ id: z.string(), tenant_handle: z.string().nullish() });

/** Prompts and memories in an agent repository of the LangSmith Hub. */
export const hubPlace: PlaceKindModule<'hub'> = {
  connect: async (options, { secret, signal }) => {
    const at = hubAt(options);
    if (!at.ok) return at;
    if (secret === null) return fail('invalid', 'place_hub_no_key');
    const { repository } = options;
    const owner = await ownerFor(at.value, secret, signal);
    if (!owner.ok) return owner;
    const client = await clientFor(at.value, secret);
    const backend = new ContextHubBackend(repository, { client, maxAgeMs: MAX_AGE });
    const hasCommits = await backend.hasPriorCommits();
    if (typeof hasCommits !== 'boolean' && isFailure(hasCommits))
      return hasCommits.kind === 'denied'
        ? fail('denied', 'place_hub_key', { host: at.value.host }, hasCommits.error)
        : fail('network', 'place_unreachable', { host: at.value.host }, hasCommits.error);
    const [given, name] = repository.split('/');
    if (!hasCommits && name !== undefined && given !== owner.value.owner)
      return fail('not_found', 'place_hub_none', { repository });
    return ok({
      backend,
      check: (checking) => ownerFor(at.value, secret, checking),
      close: async () => undefined,
    });
  },
};

interface HubAddress {
  /** Whom we connect to. */
  host: string;
  url: string;
}

/** Checks what the person entered. */
export function hubAt({ server, repository }: Extract<PlaceOptions, { kind: 'hub' }>): Result<HubAddress> {
  if (!/^(?:[A-Za-z0-9_-]+\/)?[a-z][a-z0-9_-]*$/.test(repository))
    return fail('invalid', 'place_hub_repository', { repository });
  const text = server === '' ? LANGSMITH : server;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return fail('invalid', 'place_hub_address');
  return ok({ host: url.host, url: (url.origin + url.pathname).replace(/\/+$/, '') });
}

/** The owner that the key belongs to. */
async function ownerFor(
  { host, url }: HubAddress,
  apiKey: string,
  signal: AbortSignal,
): Promise<Result<{ owner: string }>> {
  try {
    const response = await guardedFetch(`${url}/settings`, { headers: { 'x-api-key': apiKey }, signal });
    const text = await response.text();
    if (response.status === 401 || response.status === 403)
      return fail('denied', 'place_hub_key', { host }, text);
    if (response.status >= 500) return fail('network', 'place_unreachable', { host }, text);
    const settings = settingsIn(text);
    return settings === null ? fail('unsupported', 'place_hub_protocol', { host }) : ok(settings);
  } catch (thrown) {
    signal.throwIfAborted();
    return fail('network', 'place_unreachable', { host }, textOf(thrown));
  }
}

/** A tenant without a handle has an empty owner. Null: not the answer of such a server. */
function settingsIn(text: string): { owner: string } | null {
  const parsed = parseJson(text, { maxBytes: MAX_SETTINGS });
  const settings = Settings.safeParse('value' in parsed ? parsed.value : null);
  return settings.success ? { owner: settings.data.tenant_handle ?? '' } : null;
}

/** Everything is set here, so that neither the environment nor a profile decides who is asked with which key. */
async function clientFor({ url }: HubAddress, apiKey: string) {
  // The client loads with the first such place.
  const { Client } = await import('langsmith');
  return new Client({
    apiUrl: url,
    apiKey,
    workspaceId: '',
    timeout_ms: REQUEST_LIMIT,
    fetchImplementation: fetchOnce,
    autoBatchTracing: false,
    tracingSamplingRate: 0,
    disablePromptCache: true,
    debug: false,
  });
}

/** Without the client's retries, which keep a call waiting for half a minute while the network is gone. */
const fetchOnce: typeof globalThis.fetch = async (input, init) => {
  try {
    return await guardedFetch(input, init);
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'TimeoutError') throw thrown;
    // The client's code for errors that it does not retry.
    throw Object.assign(new Error(textOf(thrown), { cause: thrown }), { code: 'ECONNABORTED' });
  }
};

/** `fetch failed` says nothing; its cause does. */
function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error && thrown.cause.message !== '' ? thrown.cause.message : thrown.message;
}
