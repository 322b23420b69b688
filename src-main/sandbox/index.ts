import { mkdir } from 'node:fs/promises';
import type { CommandSandbox } from '../backends/protocol';
import type { SandboxedCall } from '../contract/sandbox';
import { type Confinement, inBubblewrap, systemFolders } from './bubblewrap';
import type { SandboxFound } from './detect';
import { hiddenPlaces } from './hidden';
import type { HostList } from './hosts';
import { lookInto, madeMeanwhile } from './in-folder';
import { openProxy } from './proxy';
import { noteOn, refusalsIn } from './refusals';
import { inSeatbelt } from './seatbelt';

export { detectSandbox, type SandboxFound, stateOf } from './detect';
export { hiddenPlaces } from './hidden';
export type { HostList } from './hosts';
export { OBEYED } from './in-folder';

export interface SandboxOptions {
  found: Exclude<SandboxFound, { kind: null }>;
  /** Real path of the project folder. */
  folder: string;
  home: string;
  /** Folders of Deepdesk's own that no command sees. */
  own: readonly string[];
  /** What commands find as /tmp; made where it is not there. The same one for commands that belong together. */
  temporary: string;
  /** Whether a file of that name is kept from commands in the folder. */
  isSecret: (name: string) => boolean;
  /** Looked at when a command begins, and for each connection. */
  hosts: () => HostList;
  /** A command began (nothing refused yet) or is over. */
  onCommand?: (callId: string, call: SandboxedCall) => void;
}

/**
 * Confines commands to one project folder: they write there and in /tmp, find the person's keys and profiles hidden,
 * and reach no host but those allowed. `enter` rejects where the folder cannot be looked into; nothing is run then.
 */
export function createSandbox(options: SandboxOptions): CommandSandbox {
  const { found, folder, home, own, temporary, isSecret, hosts, onCommand } = options;
  return {
    enter: async ({ cwd, callId, writable = [] }) => {
      const allowed = hosts();
      const hasNetwork = found.kind === 'bubblewrap' && found.bridge !== null && allowed.allow.length > 0;
      const [places, inside, system, proxy] = await Promise.all([
        hiddenPlaces(home, own),
        lookInto(folder, isSecret),
        systemFolders(),
        hasNetwork ? openProxy(hosts) : null,
        mkdir(temporary, { recursive: true, mode: 0o700 }),
      ]);
      const hidden = [...places, ...inside.secrets];
      const bridge = found.kind === 'bubblewrap' ? found.bridge : null;
      const confinement: Confinement = {
        folder,
        cwd,
        temporary,
        writable,
        hidden,
        repositories: inside.repositories,
        readOnly: inside.readOnly,
        network:
          proxy === null || bridge === null
            ? null
            : { socketFolder: proxy.socketFolder, socketName: proxy.socketName, bridge },
      };
      if (callId !== undefined) onCommand?.(callId, { refused: [] });
      return {
        wrap: (program) =>
          found.kind === 'bubblewrap'
            ? inBubblewrap(found.program, confinement, system, program)
            : inSeatbelt(found.program, confinement, program),
        leave: async ({ output }) => {
          const turnedAway = proxy?.refused() ?? [];
          await proxy?.close();
          const refused = refusalsIn(output, {
            folder,
            cwd,
            hidden: hidden.map(({ path }) => path),
            readOnly: inside.readOnly,
            hosts: turnedAway,
          });
          const made = await madeMeanwhile(folder, inside);
          if (callId !== undefined && refused.length + made.length > 0)
            onCommand?.(callId, made.length === 0 ? { refused } : { refused, made });
          return noteOn(refused, made, { folder, hosts: allowed.allow });
        },
      };
    },
  };
}
