import { describe, expect, it } from 'vitest';
import { ok } from '../../contract/result';
import type { BackendProtocol } from '../../harness';
import { failure, PermissionBackend, UnknownTarget } from '../../harness/backends';
import { PlaceBackend } from './place-backend';
import { PlaceConnection } from './place-connection';

const never = () => new Promise<never>(() => undefined);
const noConnection = failure('network', 'Error: no SSH connection.');

function placeOf(backend: Partial<BackendProtocol>, check: () => Promise<never> = never, callLimit = 60_000) {
  const connected = { backend: backend as BackendProtocol, check, close: async () => undefined };
  const connection = new PlaceConnection({ connect: async () => ok(connected), onState: () => undefined });
  return { connection, place: new PlaceBackend(connection, callLimit) };
}

describe('A place', () => {
  it('is offline once its connection failed and does not come back, so that the next call does not wait', async () => {
    const { connection, place } = placeOf({ read: async () => noConnection });
    expect((await place.read('/a.txt')).error).toContain("didn't answer within 5 seconds");
    expect(connection.state).toMatchObject({ phase: 'offline', error: { code: 'place_too_slow' } });
  }, 30_000);

  it('is not given up for a missing file while it is too busy to be checked', async () => {
    const { connection, place } = placeOf({ read: async () => failure('not_found', 'There is none.') });
    expect(await place.read('/a.txt')).toMatchObject({ kind: 'not_found' });
    expect(connection.state.phase).toBe('connected');
  }, 30_000);

  it('is not used by rules for paths whose target it does not tell in time', async () => {
    const { place } = placeOf({ realPath: never, read: async () => ({ content: 'secret' }) }, never, 50);
    const denied = [{ operations: ['read' as const], paths: ['/secret/**'], mode: 'deny' as const }];
    await expect(place.realPath('/link')).rejects.toThrow(UnknownTarget);
    const guarded = new PermissionBackend(place, denied);
    expect(await guarded.read('/link')).toMatchObject({ kind: 'timeout' });
  });

  it('stops looking for the target of a path at once', async () => {
    const { place } = placeOf({ realPath: never });
    const controller = new AbortController();
    const guarded = new PermissionBackend(place, [
      { operations: ['read'], paths: ['/secret/**'], mode: 'deny' },
    ]);
    const reading = guarded.read('/link', 0, 10, { signal: controller.signal });
    controller.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });
});
