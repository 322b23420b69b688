import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import { DataFolder, type DataParts } from '../settings/data-folder';
import type { Connection } from '../window/connection';

export function dataHandlers(parts: DataParts): HandlersOf<'data', Connection> {
  const data = new DataFolder(parts);
  return {
    'data.read': (_input, _connection, signal) => data.read(signal),
    'data.setBudgets': (changes) => ok(data.setBudgets(changes)),
    'data.clear': async ({ part }) => {
      await data.clear(part);
      return ok({});
    },
    'data.open': () => {
      data.reveal();
      return ok({});
    },
    'data.backup': (_input, _connection, signal) => data.backup(signal),
    'data.choose': (_input, _connection, signal) => data.choose(signal),
    'data.restore': () => data.restore(),
    'data.wipe': () => data.wipe(),
  };
}
