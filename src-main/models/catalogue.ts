import { ProviderId } from '../contract/app';
import { fail, ok, type Result } from '../contract/result';
import { formProblem } from '../contract/shared/form-problem';
import { type ModelFacts, ModelOverrides, type ModelPrice } from '../contract/usage';
import { KNOWN_MODELS, type KnownModel, NO_ABILITY } from './catalogue-data';
import { OLLAMA_CONTEXT } from './ollama';
import type { ModelInfo } from './provider';

interface Ref {
  provider: ProviderId;
  name: string;
}

const UNKNOWN: ModelFacts = { contextWindow: null, maxOutput: null, abilities: null, price: null };

/** On the person's own machine, a request has no cost per token. */
const FREE: ModelPrice = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, asOf: '2026-01-01' };

/** Models of a provider that are offered before any are discovered. */
export function offeredModels(provider: keyof typeof KNOWN_MODELS) {
  return KNOWN_MODELS[provider]
    .filter((model) => model.isOffered)
    .map(({ name, label, contextWindow }) => ({
      name,
      label,
      ...(contextWindow === null ? {} : { contextWindow }),
    }));
}

/**
 * Facts about a model: the person's corrections, else the built-in ones, else null. `baseUrl` tells a free server on this
 * machine from a paid one. `listed`: the model in the server's own list.
 */
export function factsOfModel(
  ref: Ref,
  {
    overrides = {},
    baseUrl = null,
    listed = null,
  }: { overrides?: ModelOverrides; baseUrl?: string | null; listed?: ModelInfo | null } = {},
): ModelFacts {
  const known = builtIn(ref, baseUrl);
  const built = {
    ...known,
    contextWindow: listed?.contextWindow ?? known.contextWindow,
    // A server on this machine may only pass requests on.
    price: listed?.price ?? known.price,
  };
  const own = overrides[`${ref.provider}:${ref.name}`];
  if (own === undefined) return built;
  const { contextWindow, maxOutput, abilities, price } = own;
  return {
    contextWindow: contextWindow === undefined ? built.contextWindow : atMost(contextWindow, listed),
    maxOutput: maxOutput === undefined ? built.maxOutput : maxOutput,
    abilities:
      abilities === undefined ? built.abilities : { ...(built.abilities ?? NO_ABILITY), ...abilities },
    price: price === undefined ? built.price : price,
  };
}

/** A context window that the person entered: a server silently shortens requests beyond what a model was trained with. */
export const atMost = (contextWindow: number | null, listed: ModelInfo | null): number | null =>
  contextWindow === null ? null : Math.min(contextWindow, listed?.maxContextWindow ?? contextWindow);

/** Parses the person's corrections from the settings. Errors: `invalid`, naming the field. */
export function parseOverrides(value: unknown): Result<ModelOverrides> {
  const parsed = ModelOverrides.safeParse(value);
  if (!parsed.success) {
    return fail('invalid', 'override_unusable', { why: [formProblem(parsed.error)] });
  }
  const stranger = Object.keys(parsed.data).find((key) => !isProvider(key.slice(0, key.indexOf(':'))));
  if (stranger !== undefined) {
    return fail('invalid', 'unknown_provider', { provider: stranger });
  }
  return ok(parsed.data);
}

const isProvider = (id: string) => ProviderId.safeParse(id).success;

const isListed = (id: ProviderId): id is keyof typeof KNOWN_MODELS => Object.hasOwn(KNOWN_MODELS, id);

function builtIn({ provider, name }: Ref, baseUrl: string | null): ModelFacts {
  switch (provider) {
    case 'offline':
      return {
        contextWindow: 200_000,
        maxOutput: 200_000,
        abilities: { ...NO_ABILITY, tools: true },
        price: FREE,
      };
    case 'ollama':
      // Requests ask for this size unless the server's list has another; see `ollama.ts`.
      return {
        ...UNKNOWN,
        contextWindow: OLLAMA_CONTEXT,
        price: baseUrl === null || isOnThisMachine(baseUrl) ? FREE : null,
      };
    case 'openai-compatible':
      return { ...UNKNOWN, price: baseUrl !== null && isOnThisMachine(baseUrl) ? FREE : null };
    default: {
      const found = isListed(provider) ? lookUp(KNOWN_MODELS[provider], name) : undefined;
      if (found === undefined) return UNKNOWN;
      const { contextWindow, maxOutput, abilities, price } = found;
      return { contextWindow, maxOutput, abilities, price };
    }
  }
}

/** By the exact name, or by the name without a release date (`…-20250929`, `…-2025-08-07`). */
function lookUp(models: readonly KnownModel[], name: string): KnownModel | undefined {
  const plain = name.replace(/^models\//u, '');
  const undated = plain.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/u, '');
  return models.find((model) => model.name === plain) ?? models.find((model) => model.name === undated);
}

function isOnThisMachine(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/u.test(hostname);
}
