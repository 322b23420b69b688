import { afterEach, describe, expect, it } from 'vitest';
import type { ProviderServer } from '../../e2e/providers/server';
import { toAppError } from './errors';
import { modelAt, startProvider, WIRES } from './testing/provider-servers';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe.each(WIRES.map((ref) => [`${ref.provider}:${ref.name}`, ref] as const))('%s', (_, ref) => {
  it('is retried only by our code, which reports it each time', async () => {
    const server = await startProvider(ref.provider, () => ({ text: 'Here it is.' }));
    servers.push(server);
    const told: [number, string][] = [];
    const model = await modelAt(ref, server, {
      retries: 1,
      onRetry: (attempt, _wait, reason) => told.push([attempt, toAppError(reason, ref.provider).kind]),
    });
    server.failNext({ rateLimited: { retryAfter: 0 } });
    expect((await model.invoke('hello')).text).toBe('Here it is.');
    expect([told, server.requests.length]).toEqual([[[1, 'rate_limited']], 2]);
  });

  it('is sent one request per failure if retries are off', async () => {
    const server = await startProvider(ref.provider, () => ({ fault: 'overloaded' }));
    servers.push(server);
    const model = await modelAt(ref, server);
    expect(await model.invoke('hello').catch(() => 'failed')).toBe('failed');
    expect(server.requests.length).toBe(1);
  });
});
