import { expect, it, vi } from 'vitest';
import { fail, ok } from '../../contract/result';
import type { Connection } from '../window/connection';
import { placesHandlers } from './places';

it('asks nothing about a folder that is no longer wanted once the connection is made', async () => {
  const stopping = new AbortController();
  const remoteProject = vi.fn();
  const parts = {
    confirmations: { connect: async () => ok({}), remoteProject },
    remoteProjects: {
      find: async () => {
        stopping.abort();
        return ok({ options: {}, secret: null });
      },
    },
  };
  const handlers = placesHandlers(parts as unknown as Parameters<typeof placesHandlers>[0]);
  const options = { kind: 'ssh', host: 'me@server', folder: '/srv', hostKeys: [] } as const;
  const answer = await handlers['places.openProject'](
    { options: { ...options, hostKeys: [] }, secret: null },
    {} as Connection,
    stopping.signal,
  );
  expect(answer).toEqual(fail('cancelled', 'cancelled'));
  expect(remoteProject).not.toHaveBeenCalled();
});
