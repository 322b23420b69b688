import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { portPair } from '../../contract/port-pair';
import { connect } from '../../contract/rpc';
import { because } from '../../contract/shared/reasons';
import { FakeWindow, setUp, temp, testDesktop } from '../testing/window';

it('goes on with a backup whose window is closed, and tells the other windows', async () => {
  const path = join(temp('backups'), 'mine.backup');
  const t = await setUp({ desktop: { ...testDesktop, chooseSaveFile: async () => path } });
  const [port, hosts] = portPair();
  const closers: (() => void)[] = [];
  t.host.connect({
    ...hosts,
    onClose: (closed) => {
      closers.push(closed);
      return () => undefined;
    },
  });
  const closed = new Promise<void>((resolve) => {
    t.host.hub.onApp(({ type }) => {
      if (type !== 'data.progress') return;
      for (const close of closers.splice(0)) close();
      resolve();
    });
  });
  void connect(port).call('data.backup', {});
  await closed;
  const other = new FakeWindow(t.host);
  const warnings = async () => {
    const app = await other.client.call('app.open', {});
    return app.ok && app.value.warnings.map(({ why }) => why);
  };
  await expect.poll(warnings).toEqual([because('backup_made', { path })]);
  expect(existsSync(path)).toBe(true);
});
