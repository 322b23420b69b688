import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { TerminalId } from '../../../contract/ids';
import type { Storage } from '../../../storage';
import { TerminalSessions } from '../../../terminal/sessions';
import type { Hub } from '../../window/hub';
import type { SecretService } from '../access/secrets';

/** The terminals of all projects. Their stored output contains no secrets. `isFirst`: restores those of earlier runs too. */
export function createTerminals(parts: {
  storage: Storage;
  dataDir: string;
  hub: Hub;
  secrets: SecretService;
  isFirst: boolean;
  report: (where: string, error: unknown) => void;
}): TerminalSessions {
  const { storage, dataDir, hub, secrets, isFirst, report } = parts;
  return new TerminalSessions({
    now: () => storage.now(),
    newId: () => TerminalId.parse(randomUUID()),
    onChanged: (terminal) => hub.app({ type: 'terminal.changed', terminal }),
    onRemoved: (terminalId) => hub.app({ type: 'terminal.removed', terminalId }),
    onData: (terminalId, offset, data) => hub.app({ type: 'terminal.data', terminalId, offset, data }),
    shellFolder: join(dataDir, 'shell'),
    store: {
      save: (info) => {
        if (info.status === 'running') secrets.terminalOf(info);
        else storage.terminals.append(info.id, secrets.keptRest(info.id));
        storage.terminals.save(secrets.keptInfo(info));
      },
      clean: (id, piece) => secrets.kept(id, piece),
      append: (id, data) => void storage.terminals.append(id, data),
      isBusy: () => storage.lock.isHeld(),
      list: () => (isFirst ? storage.terminals.list() : []),
      output: (id) => storage.terminals.output(id),
      remove: (id) => storage.terminals.remove(id),
    },
    onStoreError: (error) => report('terminal', error),
  });
}
