import { expect, it } from 'vitest';
import { redirecting, serve } from '../base/network/testing/servers';
import { discoverOllama } from './discover';
import { toAppError } from './errors';
import { modelAt, WIRES } from './testing/provider-servers';

const KEY = 'sk-bound-to-its-origin-123';

const cases = WIRES.flatMap((ref) => [301, 302, 303, 307, 308].map((status) => [ref, status] as const));

it.each(cases)('%j sends its key nowhere else after a %i [safety 25]', async (ref, status) => {
  const { url, asked, arrived } = await redirecting(status);
  const model = await modelAt(ref, { url }, { key: KEY, retries: 2 });
  const error = await model.invoke('Hi').then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(arrived).toEqual([]);
  // Not retried either: it would be redirected again.
  expect(asked).toHaveLength(1);
  const told = toAppError(error, ref.provider, [KEY]);
  expect(told.kind).toBe('provider');
  expect(told.detail).toMatch(/redirect was refused: http\S+ wanted to pass the request on to http/u);
});

it('accepts no list of models from another origin, and no endless one [safety 25] [safety 26]', async () => {
  const { url, arrived } = await redirecting(302);
  expect(await discoverOllama(url)).toBe(null);
  expect(arrived).toEqual([]);
  const long = await serve((_request, response) =>
    response.end(JSON.stringify({ models: [{ name: 'x'.repeat(5_000_000) }] })),
  );
  expect(await discoverOllama(long)).toBe(null);
});
