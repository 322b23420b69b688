import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { startAnthropic } from './providers/anthropic';
import type { Failure } from './providers/script';
import { environment, expect, makeFolder, test } from './support/app';
import { currentRun } from './support/run';
import { chooseModel, composer, idle, messages, say, skipFirstRun } from './support/window';

/** The error text for each failure of the provider; the person can continue after each. */
const FAULTS: { name: string; fault: Failure; told: RegExp }[] = [
  { name: 'a wrong key', fault: 'unauthorized', told: /key/i },
  { name: 'too many requests', fault: { rateLimited: { retryAfter: 120 } }, told: /too many|limit/i },
  { name: 'a stream cut in the middle', fault: 'cut', told: /cut|broke/i },
  { name: 'a stream that ends too early', fault: 'cut_clean', told: /cut|broke/i },
  { name: 'an error inside the stream', fault: 'error_event', told: /overloaded|busy/i },
];

for (const { name, fault, told } of FAULTS) {
  test(`says in the conversation: ${name}, and continues after a retry`, async ({ launchApp }) => {
    const server = await startAnthropic(() => ({ text: 'Here is the answer that was asked for.' }));
    try {
      const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
      const { page, shot } = await launchApp({ env });
      await skipFirstRun(page);
      await chooseModel(page, 'Anthropic', 'claude-test');
      server.failNext(fault);
      await say(page, 'a question that must not be lost');
      const notice = messages(page).getByRole('alert');
      await expect(notice).toContainText(told);
      await expect(messages(page)).toContainText('a question that must not be lost');
      if (fault === 'cut') await shot('stream-cut');
      await messages(page).getByRole('button', { name: 'Try again' }).click();
      await idle(page);
      await expect(messages(page)).toContainText('Here is the answer that was asked for.');
      await expect(notice).toHaveCount(0);
      await expect(messages(page).getByText('a question that must not be lost')).toHaveCount(1);
    } finally {
      await server.close();
    }
  });
}

test('a missing network is reported, and typed text is kept', async ({ launchApp }) => {
  const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
  const { page } = await launchApp({ env });
  await skipFirstRun(page);
  await chooseModel(page, 'Anthropic', 'claude-test');
  await say(page, 'hello out there');
  await expect(messages(page).getByRole('alert')).toContainText("Couldn't reach");
  await expect(messages(page)).toContainText('hello out there');
  await expect(messages(page).getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('a key is entered in the window, used, and never shown or stored in plain text', async ({
  launchApp,
}) => {
  const server = await startAnthropic(() => ({ text: 'The key works.' }));
  try {
    const { page, dataDir, output } = await launchApp({ env: { ANTHROPIC_BASE_URL: server.url } });
    await skipFirstRun(page);
    await page
      .getByRole('button', { name: /^Model:/ })
      .first()
      .click();
    const section = page.getByRole('region', { name: 'Anthropic', exact: true });
    await section.getByRole('button', { name: 'Enter key…' }).click();
    const field = section.getByLabel('Key for Anthropic');
    await expect(field).toHaveAttribute('type', 'password');
    await field.fill('test-key');
    await section.getByRole('button', { name: 'Save key' }).click();
    // The form has gone, and the keyboard is at the models that can be used now.
    await expect(section.getByRole('button', { name: 'Other model ID' })).toBeVisible();
    await expect(section.getByRole('button').first()).toBeFocused();
    await page.keyboard.press('Escape');
    await chooseModel(page, 'Anthropic', 'claude-test');
    await say(page, 'hello');
    await expect(messages(page)).toContainText('The key works.');
    expect(await page.content()).not.toContain('test-key');
    expect(output()).not.toContain('test-key');
    const { readFileSync, readdirSync } = await import('node:fs');
    for (const file of readdirSync(dataDir).filter((entry) => entry.startsWith('deepdesk.db'))) {
      expect(readFileSync(`${dataDir}/${file}`).includes('test-key')).toBe(false);
    }
    await expect(composer(page)).toBeEnabled();
  } finally {
    await server.close();
  }
});

test('says why it cannot start if nothing can be written to the data folder', async () => {
  test.skip(process.platform === 'win32', 'folders have no mode there');
  const run = currentRun();
  const dataDir = makeFolder('unwritable');
  chmodSync(dataDir, 0o555);
  const child = spawn(run.program, [run.appFolder, ...(run.sandboxOff === null ? [] : ['--no-sandbox'])], {
    ...run.user,
    env: environment(makeFolder('home'), dataDir, {}),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    // A dialog says the same, and holds the process until it is closed.
    await expect
      .poll(() => said, { timeout: 20_000 })
      .toContain('Nothing can be written to the data folder.');
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill('SIGKILL');
    chmodSync(dataDir, 0o755);
  }
});
