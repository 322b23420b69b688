import { describe, expect, it } from 'vitest';
import type { ModelOverrides } from '../contract/usage';
import { factsOfModel, offeredModels, parseOverrides } from './catalogue';
import { KNOWN_MODELS } from './catalogue-data';

describe('facts about a model', () => {
  it('are found by its name, even with a release date', () => {
    const facts = factsOfModel({ provider: 'anthropic', name: 'claude-sonnet-4-5-20250929' });
    expect(facts).toEqual({
      contextWindow: 200_000,
      maxOutput: 64_000,
      abilities: {
        images: true,
        audio: false,
        video: false,
        pdf: true,
        tools: true,
        reasoning: true,
        promptCaching: true,
      },
      price: {
        input: 3_000_000,
        output: 15_000_000,
        cacheRead: 300_000,
        cacheWrite: 3_750_000,
        asOf: '2025-12-01',
      },
    });
    expect(factsOfModel({ provider: 'openai', name: 'gpt-5-mini-2025-08-07' }).price?.input).toBe(250_000);
    expect(factsOfModel({ provider: 'google-genai', name: 'models/gemini-2.5-pro' }).price?.long?.above).toBe(
      200_000,
    );
  });

  it('are empty for an unknown model, and never come from a similar one', () => {
    const nothing = { contextWindow: null, maxOutput: null, abilities: null, price: null };
    for (const name of ['claude-sonnet-9', 'claude-sonnet-4-5-turbo', 'claude'])
      expect(factsOfModel({ provider: 'anthropic', name })).toEqual(nothing);
    expect(factsOfModel({ provider: 'openai-compatible', name: 'gpt-5' })).toEqual(nothing);
  });

  it('show that a server on this machine is free, and nothing about others', () => {
    const priceAt = (provider: 'ollama' | 'openai-compatible', baseUrl: string | null) =>
      factsOfModel({ provider, name: 'x' }, { baseUrl }).price?.input ?? null;
    expect([
      priceAt('ollama', null),
      priceAt('ollama', 'http://127.0.0.1:11434'),
      priceAt('ollama', 'https://box.example'),
      priceAt('openai-compatible', 'http://localhost:1234/v1'),
      priceAt('openai-compatible', 'http://[::1]:1234/v1'),
      priceAt('openai-compatible', 'https://127.0.0.1.example/v1'),
    ]).toEqual([0, 0, null, 0, 0, null]);
  });

  it('contain only whole numbers, a cache price below the input price, and a date', () => {
    for (const { name, price } of Object.values(KNOWN_MODELS).flat()) {
      if (price === null) continue;
      const { asOf, long, ...rates } = price;
      expect([name, Object.values(rates).every(Number.isSafeInteger)]).toEqual([name, true]);
      expect([name, rates.cacheRead < rates.input && rates.input < rates.output]).toEqual([name, true]);
      expect([name, long === undefined || long.input > rates.input]).toEqual([name, true]);
      expect(asOf).toMatch(/^202\d-\d\d-\d\d$/u);
    }
  });

  it('include the context window of every offered model', () => {
    for (const provider of ['anthropic', 'openai', 'google-genai'] as const) {
      for (const { name, contextWindow } of offeredModels(provider)) {
        expect(factsOfModel({ provider, name }).contextWindow).toBe(contextWindow);
        expect(contextWindow).toBeGreaterThan(100_000);
      }
    }
    expect(factsOfModel({ provider: 'openai', name: 'gpt-4o' }).contextWindow).toBe(128_000);
    // Without the part of the window that only an answer may use.
    expect(factsOfModel({ provider: 'openai', name: 'gpt-5' }).contextWindow).toBe(272_000);
  });
});

describe("the person's corrections for a model", () => {
  const price = { input: 1, output: 2, cacheRead: 0, cacheWrite: 1, asOf: '2026-03-01' };

  it('win field by field, and can clear a built-in fact', () => {
    const overrides: ModelOverrides = {
      'anthropic:claude-haiku-4-5': { contextWindow: 1_000_000, abilities: { pdf: false }, price: null },
      'openai-compatible:org/model:free': { price, abilities: { tools: true } },
    };
    const haiku = { provider: 'anthropic', name: 'claude-haiku-4-5' } as const;
    const built = factsOfModel(haiku);
    expect(factsOfModel(haiku, { overrides })).toEqual({
      ...built,
      contextWindow: 1_000_000,
      abilities: { ...built.abilities, pdf: false },
      price: null,
    });
    const own = factsOfModel({ provider: 'openai-compatible', name: 'org/model:free' }, { overrides });
    expect([own.price, own.contextWindow, own.abilities?.tools, own.abilities?.images]).toEqual([
      price,
      null,
      true,
      false,
    ]);
  });

  it('take no more context than a model of Ollama was trained with', () => {
    const ref = { provider: 'ollama', name: 'a' } as const;
    const listed = { name: 'a', label: 'a', contextWindow: 16_384, maxContextWindow: 32_768 };
    const windowWith = (contextWindow: number) =>
      factsOfModel(ref, { listed, overrides: { 'ollama:a': { contextWindow } } }).contextWindow;
    expect([windowWith(24_000), windowWith(200_000), factsOfModel(ref, { listed }).contextWindow]).toEqual([
      24_000, 32_768, 16_384,
    ]);
  });

  it.each<[string, unknown]>([
    ['a fraction of a micro-dollar', { 'openai:x': { price: { ...price, input: 0.5 } } }],
    ['a negative price', { 'openai:x': { price: { ...price, output: -1 } } }],
    ['a price without a date', { 'openai:x': { price: { ...price, asOf: 'soon' } } }],
    ['a window of nothing', { 'openai:x': { contextWindow: 0 } }],
    ['an unknown ability', { 'openai:x': { abilities: { telepathy: true } } }],
    ['an unknown field', { 'openai:x': { window: 5 } }],
    ['an unknown provider', { 'nobody:x': {} }],
    ['a name without a provider', { x: {} }],
    ['no table', 7],
  ])('are refused with %s', (_, value) => {
    expect(parseOverrides(value)).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });

  it('are parsed unchanged', () => {
    const value = { 'ollama:llama3.1:8b': { contextWindow: 32_768, price } };
    expect(parseOverrides(value)).toEqual({ ok: true, value });
  });
});
