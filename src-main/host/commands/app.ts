import type { AppSnapshot, ModelsState } from '../../contract/app';
import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import type { TerminalSessions } from '../../terminal/sessions';
import type { Sandboxes } from '../project/access/sandboxes';
import { diagnostics } from '../settings/diagnostics';
import { readLicenses } from '../settings/licenses';
import type { ModelService } from '../settings/model-service';
import type { Connection } from '../window/connection';

/** Handlers for what a window requests from the app when it opens. */
export function appHandlers(parts: {
  storage: Storage;
  models: ModelService;
  terminals: TerminalSessions;
  sandboxes: Sandboxes;
  version: string;
  fallbackRuntime: string | null;
  dataFolder: string;
  platform: AppSnapshot['platform'];
  warnings: () => AppSnapshot['warnings'];
  licenses: (() => Promise<string>) | null;
  logLines: () => readonly string[];
}): HandlersOf<'app', Connection> {
  const { storage, models, terminals, sandboxes } = parts;
  const snapshot = (state: ModelsState): AppSnapshot => ({
    version: parts.version,
    fallbackRuntime: parts.fallbackRuntime,
    dataFolder: parts.dataFolder,
    platform: parts.platform,
    projects: storage.projects.list(),
    threads: storage.threads.summaries(),
    settings: storage.settings.read(),
    models: state,
    terminals: terminals.list(),
    rules: storage.rules.list(),
    sandbox: sandboxes.state,
    warnings: parts.warnings(),
  });
  return {
    'app.open': async (_input, connection) => {
      const state = await models.state();
      connection.followApp();
      return ok(snapshot(state));
    },
    'app.licenses': async () => ok(await readLicenses(parts.licenses)),
    'app.diagnostics': async () =>
      ok({ text: diagnostics(snapshot(await models.state()), parts.logLines()) }),
  };
}
