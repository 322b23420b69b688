import { fail, ok, type Result } from '../../contract/result';
import type { RemoteBackend } from '../../harness/backends/remote/remote-backend';
import { RemoteError } from '../../harness/backends/remote/remote-transport';
import { RemoteTree } from '../../harness/backends/remote/remote-tree';
import { quote } from '../../harness/backends/sandbox/sandbox-scripts';
import type { ConnectedPlace } from './place-kind';

/** Status of `cd` into a folder that is not there. */
const NO_FOLDER = 7;

interface RemotePlace {
  folder: string;
  signal: AbortSignal;
  /** The backend for a folder there; absent: to look around. */
  open(root?: string): RemoteBackend;
  /** Why nothing was reached. */
  refusal(error: RemoteError): Result<never>;
}

/** Connects to a folder on another machine or in a container. */
export async function connectRemote({
  folder,
  signal,
  open,
  refusal,
}: RemotePlace): Promise<Result<ConnectedPlace>> {
  const askFor = async (backend: RemoteBackend, command: string, until: AbortSignal) => {
    try {
      return ok(await backend.probe(command, { signal: until }));
    } catch (thrown) {
      if (thrown instanceof RemoteError) return refusal(thrown);
      throw thrown;
    }
  };
  const first = open();
  const stop = () => void first.close();
  signal.addEventListener('abort', stop, { once: true });
  const found = await askFor(first, `cd ${placeOf(folder)} || exit ${NO_FOLDER}; pwd -P`, signal).finally(
    () => {
      signal.removeEventListener('abort', stop);
      return first.close();
    },
  );
  if (!found.ok) return found;
  const { exitCode, output } = found.value;
  if (exitCode !== 0) return fail('not_found', 'place_folder_gone', { folder });
  const root = output.replace(/\n$/, '');
  const backend = open(root);
  return ok({
    backend,
    commands: {
      folder: root,
      terminal: (stdin) => backend.terminal(stdin),
      shell: (at) => backend.shell(at),
    },
    tree: new RemoteTree((command) => backend.probe(command), root),
    check: async (until) => {
      const alive = await askFor(backend, `cd ${quote(root)} || exit ${NO_FOLDER}`, until);
      if (!alive.ok) return alive;
      return alive.value.exitCode === 0 ? ok({}) : fail('not_found', 'place_folder_gone', { folder });
    },
    drop: () => backend.drop(),
    close: () => backend.close(),
  });
}

/** `~` is the home folder there; everything else is taken literally. */
function placeOf(folder: string): string {
  if (folder === '' || folder === '~') return '"$HOME"';
  return folder.startsWith('~/') ? `"$HOME"/${quote(folder.slice(2))}` : quote(folder);
}
