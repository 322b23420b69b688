// The host in a separate process, for tests that kill it. It serves its parent as a window over the IPC channel; the parent
// plays the person.
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { ProjectId } from '../../contract/ids';
import type { Port } from '../../contract/rpc';
import { createHost } from '../host';

const [, , dataDir = '', folder = '', baseUrl = ''] = process.argv;

const send = (frame: unknown): void => {
  process.send?.(frame);
};

const port: Port = {
  post: send,
  listen: (receive) => {
    process.on('message', receive);
    return () => void process.off('message', receive);
  },
  onClose: (closed) => {
    process.on('disconnect', closed);
    return () => void process.off('disconnect', closed);
  },
};

const opened = await createHost({
  dataDir,
  desktop: {
    chooseFolder: async () => null,
    reveal: () => undefined,
    openExternal: async () => false,
    keychain: null,
  },
  version: 'test',
  env: process.env,
  warnings: [],
  sampleFolder: null,
  baseUrl,
  report: (where, error) =>
    send({ kind: 'report', what: `${where}: ${error instanceof Error ? error.stack : String(error)}` }),
});
if (!opened.ok) throw new Error(inEnglish(opened.error));
const host = opened.value;
host.storage.settings.set('onboarded', true);
const project = await host.projects.open(folder);
if (!project.ok) throw new Error(inEnglish(project.error));

process.on('message', (frame) => {
  if (frame !== 'close') return;
  host.close().then(
    () => process.exit(0),
    (error: unknown) => {
      send({ kind: 'report', what: `close: ${String(error)}` });
      process.exit(1);
    },
  );
});
// Exit when the parent is gone.
process.on('disconnect', () => process.exit(0));
host.connect(port);
send({ kind: 'ready', projectId: ProjectId.parse(project.value.id), mount: project.value.mount });
