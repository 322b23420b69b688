import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, giveToApp, makeFolder, test } from './support/app';
import { composer, idle, messages, say, skipFirstRun } from './support/window';

test('safe mode starts no MCP server, says so, works, and ends with the next start', async ({
  launchApp,
}) => {
  const dataDir = makeFolder('data');
  const canary = join(dataDir, 'server-started');
  const server = { command: '/bin/sh', args: ['-c', `touch '${canary}'; sleep 60`] };
  writeFileSync(join(dataDir, 'mcp.json'), JSON.stringify({ mcpServers: { broken: server } }), {
    mode: 0o600,
  });
  giveToApp(dataDir);

  const first = await launchApp({ dataDir, args: ['--safe-mode'] });
  await skipFirstRun(first.page);
  await first.page.getByRole('button', { name: /warning|note/i }).click();
  await expect(first.page.getByText('Safe mode is on:', { exact: false })).toBeVisible();
  await first.page.keyboard.press('Escape');
  await say(first.page, 'hello in safe mode');
  await idle(first.page);
  await first.page.getByRole('button', { name: 'Settings', exact: true }).click();
  await first.page.getByRole('tab', { name: 'MCP servers' }).click();
  await expect(first.page.getByRole('listitem', { name: 'broken' }).getByRole('status')).toHaveText('Off');
  expect(existsSync(canary)).toBe(false);
  await first.close();

  const second = await launchApp({ dataDir });
  await expect(messages(second.page)).toContainText('hello in safe mode');
  await expect(composer(second.page)).toBeEnabled();
  await second.page.getByRole('button', { name: 'Settings', exact: true }).click();
  await second.page.getByRole('tab', { name: 'MCP servers' }).click();
  await expect.poll(() => existsSync(canary)).toBe(true);
  await second.page.getByRole('tab', { name: 'About' }).click();
  await expect(second.page.getByText('Safe mode is on:', { exact: false })).toHaveCount(0);
});
