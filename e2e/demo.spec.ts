import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startAnthropic } from './providers/anthropic';
import { DEMO_FILES, demoA0 } from './providers/demo-a0';
import { startOpenAI } from './providers/openai';
import { answerFolderDialog, expect, makeFolder, test } from './support/app';
import { allow, cards, chooseModel, composer, idle, messages, say, skipFirstRun } from './support/window';

/** Calls of the demo that ask: three commands and four new files. */
const ASKED = 7;

/** Allows that many calls, one after the other as they come, and waits for the end. */
async function allowInTurn(page: Page, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await expect(cards(page).first()).toBeVisible();
    await allow(page);
  }
  await idle(page);
  await expect(cards(page)).toHaveCount(0);
}

test('the demo of the design articles runs with the offline assistant', async ({ launchApp }) => {
  const folder = makeFolder('demo');
  const { app, page, shot } = await launchApp({ folder });
  await skipFirstRun(page);
  await answerFolderDialog(app, folder);
  await page.getByRole('button', { name: 'Add a folder' }).click();
  await expect(composer(page)).toBeVisible();
  await say(page, 'demo');
  await allowInTurn(page, ASKED);
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
      await answerFolderDialog(app, folder);
      await page.getByRole('button', { name: 'Add a folder' }).click();
      await expect(composer(page)).toBeVisible();
      await chooseModel(page, provider.name, provider.model);
      await say(page, 'demo');
      await allowInTurn(page, ASKED);
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
