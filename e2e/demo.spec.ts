import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startAnthropic } from './providers/anthropic';
import { DEMO_FILES, demoA0 } from './providers/demo-a0';
import { startOpenAI } from './providers/openai';
import { expect, makeFolder, test } from './support/app';
import { hasCommandSandbox, runsInLayers } from './support/sandbox';
import {
  addFolder,
  allow,
  cards,
  chooseModel,
  composer,
  idle,
  messages,
  say,
  skipFirstRun,
} from './support/window';

/** Calls of the demo that always ask: a command that makes a folder, and four new files. */
const WRITES = 5;
/**
 * The command of the demo that only reads its location. That cannot be proven, so it runs in the read-only sandbox first.
 */
const LOOKS = 'cd test_dir && pwd';

/** Starts the demo, allows each call as it asks, and waits for the end. */
async function allowInTurn(page: Page, folder: string): Promise<void> {
  const isTried = await hasCommandSandbox();
  const isLayered = isTried && (await runsInLayers(page));
  await say(page, 'demo');
  // What it removes is not there, so that this command changes nothing in a layer.
  const asked = WRITES + (isLayered ? 0 : 1) + (isTried ? 0 : 1);
  for (let index = 0; index < asked; index++) {
    await expect(cards(page).first()).toBeVisible();
    await allow(page);
  }
  await idle(page);
  await expect(cards(page)).toHaveCount(0);
  await messages(page).getByRole('button', { name: LOOKS }).last().click();
  await expect(messages(page)).toContainText(join(folder, 'test_dir'));
  const readOnly = messages(page).getByText('Ran read-only in the sandbox.');
  await expect(readOnly).toHaveCount(isTried && !isLayered ? 1 : 0);
}

test('the demo from the design articles runs with the offline assistant', async ({ sharedApp }) => {
  const folder = makeFolder('demo');
  const { app, page, shot } = sharedApp;
  await skipFirstRun(page);
  await addFolder({ app, page }, folder);
  await expect(composer(page)).toBeVisible();
  await allowInTurn(page, folder);
  await expect(messages(page)).toContainText('hello.py');
  await shot('demo-offline');
  expect(readdirSync(join(folder, 'test_dir')).sort()).toEqual([
    'hello.py',
    'one.txt',
    'three.txt',
    'two.txt',
  ]);
});

const PROVIDERS = [
  {
    name: 'Anthropic',
    start: startAnthropic,
    key: 'ANTHROPIC_API_KEY',
    url: 'ANTHROPIC_BASE_URL',
    model: 'claude-test',
  },
  { name: 'OpenAI', start: startOpenAI, key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL', model: 'gpt-test' },
] as const;

for (const provider of PROVIDERS) {
  test(`the demo runs over the wire format of ${provider.name}`, async ({ launchApp }) => {
    const folder = makeFolder('demo');
    const server = await provider.start(demoA0(folder));
    try {
      const env = { [provider.key]: 'test-key', [provider.url]: server.url };
      const { app, page, shot } = await launchApp({ folder, env });
      await skipFirstRun(page);
      await addFolder({ app, page }, folder);
      await expect(composer(page)).toBeVisible();
      await chooseModel(page, provider.name, provider.model);
      await allowInTurn(page, folder);
      await expect(messages(page).getByRole('heading', { name: 'Demo finished' })).toBeVisible();
      await shot(`demo-${provider.name.toLowerCase()}`);
      for (const [name, content] of Object.entries(DEMO_FILES)) {
        expect(readFileSync(join(folder, 'test_dir', name), 'utf8')).toBe(content);
      }
      expect(server.requests.every((request) => request.status === 200)).toBe(true);
    } finally {
      await server.close();
    }
  });
}
