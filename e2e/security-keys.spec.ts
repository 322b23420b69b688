// security.md section 4: keys and the profile.
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startAnthropic } from './providers/anthropic';
import { expect, giveToApp, makeFolder, test } from './support/app';
import { processTree } from './support/processes';
import { runsInLayers } from './support/sandbox';
import { allow, chooseModel, idle, messages, say, skipFirstRun } from './support/window';

/** Not in any dictionary or other text of the run. */
const TYPED = 'sk-ant-typed-CANARY-7f3a91c2d4';
const FROM_ENVIRONMENT = 'sk-openai-env-CANARY-0b88e6aa51';

/** Files below a folder that contain any of the texts. */
function filesWith(folder: string, texts: string[]): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      // Chromium and JavaScript store text with one or two bytes per character.
      return texts.some((text) => bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le')));
    });
}

async function enterKey(page: Page, key: string): Promise<void> {
  await page
    .getByRole('button', { name: /^Model:/ })
    .first()
    .click();
  const section = page.getByRole('region', { name: 'Anthropic', exact: true });
  await section.getByRole('button', { name: 'Enter key…' }).click();
  await section.getByLabel('Key for Anthropic').fill(key);
  await section.getByRole('button', { name: 'Save key' }).click();
  await page.keyboard.press('Escape');
}

test("leaves no copy of a used key in the renderer's heap, in files, in the log or in child processes [renderer 4]", async ({
  launchApp,
}) => {
  const server = await startAnthropic(() => ({ text: 'The key works.' }), { apiKey: TYPED });
  try {
    const env = { ANTHROPIC_BASE_URL: server.url, OPENAI_API_KEY: FROM_ENVIRONMENT };
    const { app, page, dataDir, output } = await launchApp({ env });
    await skipFirstRun(page);
    await enterKey(page, TYPED);
    await chooseModel(page, 'Anthropic', 'claude-test');
    await say(page, 'hello');
    await expect(messages(page)).toContainText('The key works.');
    // The renderer process that took the key may keep it until it exits; the next one never had it.
    await app.evaluate(({ webContents }) => {
      const contents = webContents.getAllWebContents()[0];
      return new Promise<void>((resolve) => {
        contents?.once('did-finish-load', () => resolve());
        contents?.forcefullyCrashRenderer();
      });
    });
    await expect
      .poll(() =>
        app.evaluate(({ webContents }) =>
          webContents.getAllWebContents()[0]?.executeJavaScript(`document.body.textContent`),
        ),
      )
      .toContain('The key works.');

    const folder = makeFolder('heap');
    const snapshot = join(folder, 'page.heapsnapshot');
    await app.evaluate(async ({ webContents }, file) => {
      await webContents.getAllWebContents()[0]?.takeHeapSnapshot(file);
    }, snapshot);
    expect(readFileSync(snapshot, 'utf8')).toContain('The key works.');
    expect(filesWith(folder, [TYPED])).toEqual([]);
    expect(filesWith(folder, [FROM_ENVIRONMENT])).toEqual([]);
    rmSync(folder, { recursive: true });

    const inPage = await app.evaluate(({ webContents }) =>
      webContents
        .getAllWebContents()[0]
        ?.executeJavaScript(
          'document.documentElement.outerHTML + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
        ),
    );
    expect(inPage).not.toContain('CANARY');
    expect(filesWith(dataDir, [TYPED, FROM_ENVIRONMENT])).toEqual([]);
    expect(output()).not.toContain('CANARY');
    const main = await app.evaluate(() => process.pid);
    if (process.platform === 'linux') {
      const told = processTree(main)
        .filter(({ words }) => words.includes('--type=renderer'))
        .map(({ pid }) => readFileSync(`/proc/${pid}/environ`, 'utf8'));
      // Chromium's own processes inherit the environment of Deepdesk; a page cannot read it.
      expect(told.join().includes(TYPED)).toBe(false);
    }
  } finally {
    await server.close();
  }
});

test("gives keys neither to the agent's commands nor to what they start [renderer 4]", async ({
  launchApp,
}) => {
  const { page } = await launchApp({
    env: { ANTHROPIC_API_KEY: 'sk-canary-123', MY_TOKEN: 'canary-456', OPENAI_API_KEY: FROM_ENVIRONMENT },
  });
  await skipFirstRun(page);
  const inLayer = await runsInLayers(page);
  const own = 'env | sort; bash -c "env | sort"';
  // One that waits is asked about before it runs, and then runs outside of layers and the sandbox.
  for (const [index, command] of [own, `sleep 0.001m; ${own}`].entries()) {
    await say(page, `run ${command}`);
    if (index > 0 || !inLayer) await allow(page);
    const call = messages(page).locator('[data-call]').nth(index);
    await call.getByRole('button', { name: /^Ran/ }).click();
    await expect(call).toContainText('PATH=');
    await idle(page);
  }
  expect((await page.content()).toLowerCase()).not.toContain('canary');
});

test('makes the profile private, and keeps a key for the session only if there is no keychain [renderer 14]', async ({
  launchApp,
}) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await enterKey(first.page, TYPED);
  await say(first.page, 'create note.txt with "x"');
  await allow(first.page);
  expect(lstatSync(first.dataDir).mode & 0o777).toBe(0o700);
  const open = readdirSync(first.dataDir, { withFileTypes: true })
    // The sample is the person's own folder, inside the private data folder.
    .filter((entry) => entry.name !== 'sample-project')
    .filter((entry) => (lstatSync(join(first.dataDir, entry.name)).mode & 0o077) !== 0)
    .map((entry) => entry.name);
  expect(open).toEqual([]);
  await first.close();
  expect(filesWith(first.dataDir, [TYPED])).toEqual([]);
  expect(existsSync(join(first.dataDir, 'deepdesk.db'))).toBe(true);
  giveToApp(first.dataDir);
  const second = await launchApp({ dataDir: first.dataDir });
  await second.page
    .getByRole('button', { name: /^Model:/ })
    .first()
    .click();
  const section = second.page.getByRole('region', { name: 'Anthropic', exact: true });
  await expect(section.getByRole('button', { name: 'Enter key…' })).toBeVisible();
});
