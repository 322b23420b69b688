import { fail } from '../../contract/result';
import {
  type ContainerEngine,
  ContainerError,
  ContainerTransport,
} from '../../harness/backends/container/container-transport';
import { RemoteBackend } from '../../harness/backends/remote/remote-backend';
import type { PlaceKindModule } from './place-kind';
import { connectRemote } from './remote';

/** A folder in a running container, over Docker's or Podman's own client. */
export const containerPlace: PlaceKindModule<'container'> = {
  connect: async ({ engine, container, folder }, { signal, env }) => {
    if (!isName(container)) return fail('invalid', 'place_container_name', { container });
    const options = { engine, container, env };
    return connectRemote({
      folder,
      signal,
      // Each has a transport of its own, which it closes.
      open: (root) => new RemoteBackend(new ContainerTransport(options), root === undefined ? {} : { root }),
      refusal: (error) => {
        if (error instanceof ContainerError) return refusal(engine, container, error);
        throw error;
      },
    });
  },
};

/** What the engines accept as a name. Never an option. */
const isName = (container: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(container);

const NAMES: Record<ContainerEngine, string> = { docker: 'Docker', podman: 'Podman' };

function refusal(of: ContainerEngine, container: string, { problem, message }: ContainerError) {
  const engine = NAMES[of];
  switch (problem) {
    case 'no-container':
      return fail('not_found', 'place_container_gone', { container, engine }, message);
    case 'not-running':
      return fail('network', 'place_container_stopped', { container }, message);
    case 'denied':
      return fail('denied', 'place_container_denied', { engine }, message);
    case 'no-program':
      return fail('unsupported', 'place_container_program', { engine }, message);
    case 'unreachable':
      return fail('network', 'place_container_engine', { engine }, message);
    default:
      return problem satisfies never;
  }
}
