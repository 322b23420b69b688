import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAnthropic } from './providers/anthropic';
import { expect, test } from './support/app';
import { chooseModel, composer, messages, say, skipFirstRun } from './support/window';

test('the page can go nowhere, open nothing and load nothing from elsewhere', async ({ launchApp }) => {
  const { app, page } = await launchApp();
  await expect(page.locator('#root > *').first()).toBeVisible();
  const address = page.url();
  const tried = await page.evaluate(async () => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    document.addEventListener('securitypolicyviolation', (event) =>
      violations.push(event.effectiveDirective),
    );
    const opened = window.open('https://example.com');
    const script = document.createElement('script');
    script.textContent = 'window.inlineRan = true';
    document.body.append(script);
    // Not tried here: what the inspector evaluates may use eval. A timer's text runs as the page's own.
    setTimeout('window.evalRan = true', 0);
    const fetched = await fetch('https://example.com').then(
      () => true,
      () => false,
    );
    location.href = 'https://example.com';
    return { opened: opened !== null, inlineRan: 'inlineRan' in window, fetched };
  });
  expect(tried).toMatchObject({ opened: false, inlineRan: false, fetched: false });
  expect(await page.evaluate(() => 'evalRan' in window)).toBe(false);
  await expect
    .poll(() => page.evaluate(() => (window as Window & { violations?: string[] }).violations))
    .toEqual(expect.arrayContaining(['script-src-elem', 'script-src', 'connect-src']));
  expect(page.url()).toBe(address);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('every window is sandboxed and isolated, and permissions are denied', async ({ launchApp }) => {
  const { app, page } = await launchApp();
  await expect(page.locator('#root > *').first()).toBeVisible();
  const preferences = await app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((contents) => {
      // What the window really has; Electron has the method, its published types do not.
      const real = (
        contents as { getLastWebPreferences?(): Record<string, unknown> }
      ).getLastWebPreferences?.();
      const { sandbox, contextIsolation, nodeIntegration, webviewTag } = real ?? {};
      return { sandbox, contextIsolation, nodeIntegration, webviewTag };
    }),
  );
  expect(preferences).toEqual([
    { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false },
  ]);
  const permission = await page.evaluate(() => Notification.requestPermission());
  expect(permission).toBe('denied');
});

test('what a model writes is text: no markup runs, no picture is fetched, no link opens unasked', async ({
  launchApp,
}) => {
  let hits = 0;
  const sink = createServer((_request, response) => {
    hits++;
    response.end();
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
  const text = [
    `![picture](${url}/a.png)`,
    `<img src="${url}/b.png" onerror="window.ran = 1"><script>window.ran = 1</script>`,
    `[good](${url}/c) [bad](javascript:window.ran=1) [file](file:///etc/passwd)`,
    'The end.',
  ].join('\n\n');
  const server = await startAnthropic(() => ({ text }));
  try {
    const { app, page } = await launchApp({
      env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url },
    });
    await app.evaluate(({ shell, dialog }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      shell.openExternal = async (address) => void opened.push(address);
      dialog.showMessageBox = (async () => ({
        response: 1,
        checkboxChecked: false,
      })) as typeof dialog.showMessageBox;
    });
    await skipFirstRun(page);
    await chooseModel(page, 'Anthropic', 'claude-test');
    await say(page, 'hello');
    await expect(messages(page)).toContainText('The end.');
    expect(await page.evaluate(() => 'ran' in window)).toBe(false);
    for (const name of ['bad', 'file', 'good']) {
      const link = messages(page)
        .getByRole('link', { name, exact: true })
        .or(messages(page).getByText(name, { exact: true }));
      await link.first().click();
    }
    await expect
      .poll(() => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened))
      .toEqual([`${url}/c`]);
    expect(hits).toBe(0);
    await expect(composer(page)).toBeVisible();
  } finally {
    await server.close();
    sink.close();
  }
});

test('an environment key reaches neither the agent’s commands nor the page', async ({ launchApp }) => {
  const { page } = await launchApp({ env: { ANTHROPIC_API_KEY: 'sk-canary-123', MY_TOKEN: 'canary-456' } });
  await skipFirstRun(page);
  await say(page, 'run env | sort');
  const card = page.locator('[data-approval]').first();
  await expect(card.getByRole('button', { name: /^Allow once/ })).toHaveAttribute('aria-disabled', 'false');
  await card.getByRole('button', { name: /^Allow once/ }).click();
  await expect(messages(page)).toContainText('exit code 0');
  await page.getByRole('button', { name: /^Ran/ }).first().click();
  await expect(messages(page)).toContainText('PATH=');
  expect(await page.content()).not.toContain('canary');
});
