import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startAnthropic } from './providers/anthropic';
import { answerFolderDialog, expect, makeFolder, test } from './support/app';
import { see } from './support/see';
import { chooseModel, idle, messages, say, skipFirstRun } from './support/window';

async function write(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('button', { name: 'New memory' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Text' }).fill(text);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('article', { name })).toContainText(text);
  await page.getByRole('button', { name: 'All memories' }).click();
}

test('a memory shows its versions, its provenance, and which turns used it', async ({ sharedApp }) => {
  const { page, shot } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'remember color: blue');
  await idle(page);
  await say(page, 'what do you remember about blue');
  await idle(page);
  const strip = page.getByRole('button', { name: /memory used/ });
  await expect(strip).toBeVisible();
  await strip.click();
  // No tooltip of the first button covers the dialog.
  await expect(page.getByRole('dialog', { name: 'Used in this turn' })).toBeVisible();
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  const mute = page.getByRole('button', { name: "Don't use color.md in this thread" });
  await mute.click();
  await expect(mute).toHaveAttribute('aria-pressed', 'true');
  await shot('memories-used');
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Memories' }).click();
  await page.getByRole('button', { name: /^color\.md/ }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('green');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'History', exact: true }).click();
  await page.getByRole('button', { name: /^Version 1/ }).click();
  await shot('memories-history');
  await page.getByRole('button', { name: 'Restore this version' }).click();
  const memory = page.getByRole('article', { name: 'color.md' });
  await expect(memory).toContainText('blue');
  await memory.getByTitle('Open thread').click();
  await expect(messages(page)).toContainText('Remembered');

  // Muted: this thread does not use it.
  await say(page, 'what do you remember about blue');
  await idle(page);
  await expect(messages(page).getByRole('article', { name: 'The agent' }).last()).not.toContainText(
    'color.md',
  );
});

test('a memory that is muted in a thread is no longer sent to the model', async ({ launchApp }) => {
  const server = await startAnthropic(() => ({ text: 'Answered.' }));
  try {
    const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
    const { page } = await launchApp({ env });
    await skipFirstRun(page);
    await chooseModel(page, 'Anthropic', 'claude-sonnet-4-5', 'Claude Sonnet 4.5');
    await page.getByRole('tab', { name: 'Memories' }).click();
    await write(page, 'AGENTS.md', 'Answer in rhymes');
    const sent = () => JSON.stringify(server.requests.at(-1)?.body);

    await say(page, 'hello');
    await idle(page);
    expect(sent()).toContain('Answer in rhymes');
    await page.getByRole('button', { name: /memory used/ }).click();
    const mute = page.getByRole('button', { name: "Don't use AGENTS.md in this thread" });
    await mute.click();
    await expect(mute).toHaveAttribute('aria-pressed', 'true');
    await see(page, 'memory-muted');
    await page.keyboard.press('Escape');
    await say(page, 'and again');
    await idle(page);
    expect(server.requests).toHaveLength(2);
    expect(sent()).toContain('and again');
    expect(sent()).not.toContain('Answer in rhymes');
  } finally {
    await server.close();
  }
});

test('memories are exported as a folder of Markdown and imported with their authors', async ({
  launchApp,
}) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await say(first.page, 'remember color: blue');
  await idle(first.page);
  await first.page.getByRole('tab', { name: 'Memories' }).click();
  await write(first.page, 'team/people', 'Ada counts');
  const out = makeFolder('out');
  await answerFolderDialog(first.app, out);
  const more = (page: Page) => page.getByRole('button', { name: 'More actions' });
  await more(first.page).click();
  await first.page.getByRole('menuitem', { name: /Export as Markdown/ }).click();
  await expect(first.page.getByText(/Exported 2 memories to/)).toBeVisible();
  const folder = join(out, 'deepdesk-memories');
  expect(readdirSync(folder).toSorted()).toEqual(['color.md', 'team']);
  const file = readFileSync(join(folder, 'color.md'), 'utf8');
  expect(file.startsWith('---\n')).toBe(true);
  expect(file).toContain('by: agent');
  expect(file).toContain('blue');
  expect(existsSync(join(folder, 'team'))).toBe(true);
  await first.close();

  // A separate data folder, as after everything was deleted.
  const { app, page } = await launchApp();
  await skipFirstRun(page);
  await page.getByRole('tab', { name: 'Memories' }).click();
  await answerFolderDialog(app, folder);
  await more(page).click();
  await page.getByRole('menuitem', { name: /Import Markdown folder/ }).click();
  const dialog = page.getByRole('dialog', { name: /Import Markdown folder/ });
  await expect(dialog).toContainText('2 new, 0 changed');
  await see(page, 'memories-import');
  await dialog.getByRole('button', { name: 'Import 2' }).click();
  await expect(page.getByText('Imported 2 memories')).toBeVisible();
  await page.getByRole('button', { name: /^color\.md/ }).click();
  const memory = page.getByRole('article', { name: 'color.md' });
  await expect(memory).toContainText('blue');
  await expect(memory).toContainText('The agent · thread deleted');
  await see(page, 'memories-imported');
  await page.getByRole('button', { name: 'All memories' }).click();
  await page.getByRole('button', { name: /^team\/people/ }).click();
  const mine = page.getByRole('article', { name: /team\/people/ });
  await expect(mine).toContainText('Ada counts');
  await expect(mine).toContainText('You');
});

test('memories are read, corrected and compared with the keyboard alone', async ({ sharedApp }) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  await page.getByRole('tab', { name: 'Memories' }).click();
  await write(page, 'one', 'first');
  await write(page, 'two', 'second');
  const row = page.getByRole('button', { name: /^one\.md/ });
  const back = page.getByRole('button', { name: 'All memories' });
  await row.press('Enter');
  await expect(back).toBeFocused();
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await page.getByRole('textbox', { name: 'Text' }).fill('corrected');
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await expect(back).toBeFocused();
  await page.getByRole('button', { name: 'History', exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Back to memory' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(back).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row).toBeFocused();
});
