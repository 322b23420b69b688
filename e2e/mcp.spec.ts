import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authorizationServer } from '../src-main/mcp/testing/authorization-server';
import { expect, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { skipFirstRun } from './support/window';

test('a server that the user adds in the settings is ready, and its header is never shown again', async ({
  launchApp,
}) => {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'support/mcp-server.mjs'), 'http'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TRIAL_TOKEN: 'open-sesame-1' },
  });
  try {
    const [printed]: Buffer[] = await once(server.stdout, 'data');
    const { app, page, dataDir, shot } = await launchApp();
    await skipFirstRun(page);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('tab', { name: 'MCP servers' }).click();
    await page.getByRole('button', { name: 'Add server…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('trial');
    await page.getByLabel('Connection').selectOption('http');
    await page.getByLabel('Address').fill(String(printed).trim());
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Name 1').fill('Authorization');
    await page.getByLabel('Value of Authorization').fill('Bearer open-sesame-1');
    await answerConfirmations(app, true);
    await page.getByRole('button', { name: 'Save server' }).click();

    const item = page.getByRole('listitem', { name: 'trial' });
    await expect(item.getByRole('status')).toHaveText('Ready');
    const [question] = await askedOutside(app);
    expect(question?.detail).toContain(String(printed).trim());
    expect(question?.detail).toContain('Headers: Authorization');
    expect(question?.detail).not.toContain('open-sesame-1');
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

test('the user signs in to a server in the browser, and out again', async ({ launchApp }) => {
  const trial = spawn(process.execPath, [join(import.meta.dirname, 'support/mcp-server.mjs'), 'http'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed]: Buffer[] = await once(trial.stdout, 'data');
  const server = await authorizationServer(String(printed).trim());
  try {
    const { app, page, dataDir, shot } = await launchApp();
    // The person's browser, and their consent to opening it.
    await app.evaluate(({ dialog, shell }) => {
      const opened: string[] = [];
      const asked: string[] = [];
      Object.assign(globalThis, { noted: { opened, asked } });
      dialog.showMessageBox = (async (...words: unknown[]) => {
        asked.push((words.at(-1) as Electron.MessageBoxOptions).detail ?? '');
        return { response: 1, checkboxChecked: false };
      }) as typeof dialog.showMessageBox;
      shell.openExternal = async (address) => void opened.push(address);
    });
    await skipFirstRun(page);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('tab', { name: 'MCP servers' }).click();
    await page.getByRole('button', { name: 'Add server…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('trial');
    await page.getByLabel('Connection').selectOption('http');
    await page.getByLabel('Address').fill(server.address);
    await page.getByRole('button', { name: 'Save server' }).click();

    const item = page.getByRole('listitem', { name: 'trial' });
    const status = item.getByRole('status');
    await expect(status).toHaveText('Sign-in required');
    await shot('mcp-sign-in');
    expect(server.seen).toEqual([]);
    await item.getByRole('button', { name: 'Sign in…' }).click();
    await expect(status).toHaveText('Signing in…');
    await expect(item).toContainText(`Sign in at ${new URL(server.origin).host}`);
    await shot('mcp-signing-in');
    const [address = ''] = await app.evaluate(() => noted.opened);
    // The first question, before the sign-in, was whether to save the server.
    expect((await app.evaluate(() => noted.asked)).slice(1)).toEqual([address]);
    expect(await (await fetch(address)).text()).toContain('You are signed in.');

    await expect(status).toHaveText('Ready');
    await expect(item).toContainText('as me@example.com');
    await shot('mcp-signed-in');
    expect(await page.content()).not.toMatch(/(?:access|refresh)-[0-9a-f]{8}/);
    expect(readFileSync(join(dataDir, 'mcp.json'), 'utf8')).not.toMatch(/(?:access|refresh)-[0-9a-f]{8}/);

    await item.getByRole('button', { name: 'Sign out' }).click();
    await expect(status).toHaveText('Sign-in required');
    expect(server.revoked).toEqual(['refresh', 'access']);
    expect(server.refused).toEqual([]);
  } finally {
    server.close();
    trial.kill('SIGKILL');
  }
});
