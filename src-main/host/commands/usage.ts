import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import { csvOf } from '../settings/usage-csv';
import type { Connection } from '../window/connection';
import { type SaveParts, saveText } from '../window/save-text';

/** Handlers for the usage and cost of requests. */
export function usageHandlers({
  storage,
  ...parts
}: SaveParts & { storage: Storage }): HandlersOf<'usage', Connection> {
  return {
    'usage.report': ({ from, to }) => ok({ rows: storage.usageReport(from, to) }),
    'usage.save': ({ from, to }) =>
      saveText(parts, `deepdesk-usage-${from}-${to}.csv`, () => {
        const names = new Map(storage.projects.list().map(({ id, name }) => [id as string, name]));
        return csvOf(storage.usageReport(from, to), (id) => names.get(id) ?? id);
      }),
  };
}
