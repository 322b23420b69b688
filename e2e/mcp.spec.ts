import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/app';
import { skipFirstRun } from './support/window';

test('a server that the person adds in the settings is ready, and its header is never shown again', async ({
  launchApp,
}) => {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'support/mcp-server.mjs'), 'http'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TRIAL_TOKEN: 'open-sesame-1' },
  });
  try {
    const [printed]: Buffer[] = await once(server.stdout, 'data');
    const { page, dataDir, shot } = await launchApp();
    await skipFirstRun(page);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('tab', { name: 'MCP servers' }).click();
    await page.getByRole('button', { name: 'Add server…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('trial');
    await page.getByLabel('How it is reached').selectOption('http');
    await page.getByLabel('Address').fill(String(printed).trim());
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Name 1').fill('Authorization');
    await page.getByLabel('Value of Authorization').fill('Bearer open-sesame-1');
    await page.getByRole('button', { name: 'Save server' }).click();

    const item = page.getByRole('listitem', { name: 'trial' });
    await expect(item.getByRole('status')).toHaveText('Ready');
    await item.getByText(/^\d+ tools$/).click();
    await expect(item).toContainText('trial__echo');
    await shot('mcp');
    expect(await page.content()).not.toContain('open-sesame-1');
    expect(readFileSync(join(dataDir, 'mcp.json'), 'utf8')).not.toContain('open-sesame-1');

    await item.getByRole('button', { name: 'Turn off' }).click();
    await expect(item.getByRole('status')).toHaveText('Off');
  } finally {
    server.kill('SIGKILL');
  }
});
