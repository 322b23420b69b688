import type { Page } from '@playwright/test';
import { startAnthropic } from './providers/anthropic';
import type { Script } from './providers/script';
import { expect, test } from './support/app';
import { see } from './support/see';
import { cards, chooseModel, composer, idle, messages, say, skipFirstRun } from './support/window';

const database = {
  question: 'Which database should the orders move to?',
  choices: ['PostgreSQL, on the server that you have', 'SQLite, in a file', 'Stay with MySQL'],
};
const pages = {
  question: 'Which pages need it?',
  choices: ['Orders', 'Customers', 'Reports'],
  multiple: true,
};

/** Asks, or lets a sub-agent ask, and repeats the answer that it gets. */
const asking: Script = ({ messages: said, lastUserText, lastToolResults: [result] }) => {
  if (result !== undefined) return { text: `I read ${result.content}` };
  if (said.length > 1 && said.at(-1)?.role !== 'user') return { text: 'Done.' };
  if (/delegate/.test(lastUserText))
    return {
      calls: [
        { name: 'task', args: { description: 'look at the schema', subagent_type: 'general-purpose' } },
      ],
    };
  return { calls: [{ name: 'ask_user', args: { questions: [database, pages] } }] };
};

const inbox = (page: Page) => page.getByRole('dialog', { name: 'Waiting for you', exact: true });

test('questions survive a kill, and are answered in the window by keyboard', async ({ launchApp }) => {
  const server = await startAnthropic(asking);
  try {
    const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
    const first = await launchApp({ env });
    await skipFirstRun(first.page);
    await chooseModel(first.page, 'Anthropic', 'claude-sonnet-4-5', 'Claude Sonnet 4.5');
    await say(first.page, 'Move the orders to another database.');
    await expect(cards(first.page)).toContainText(database.question);
    await first.kill9();

    const { page } = await launchApp({ dataDir: first.dataDir, env });
    const card = cards(page);
    await expect(card.getByRole('heading', { name: 'The agent has 2 questions' })).toBeVisible();
    await see(page, 'questions');
    // The lowest window with the largest text: the buttons stay in view, and so does the question of a focused answer.
    for (let size = 100; size < 150; size += 10) await page.keyboard.press('Control+=');
    await page.setViewportSize({ width: 600, height: 400 });
    await composer(page).click();
    await page.keyboard.press('Control+Enter');
    await see(page, 'questions-smallest');
    await expect(card.getByRole('button', { name: /^Send 2/ })).toBeInViewport({ ratio: 1 });
    await expect(card).toBeFocused();
    for (const _ of [...database.choices, 'own words', 'next']) await page.keyboard.press('ArrowDown');
    await expect(card.getByRole('checkbox', { name: 'Orders' })).toBeFocused();
    await expect(card.getByText(pages.question)).toBeInViewport({ ratio: 1 });
    await expect(
      page.getByRole('button', { name: 'Show or hide files, changes, memories and plan' }),
    ).toBeInViewport({
      ratio: 1,
    });
    await page.keyboard.press('Control+0');
    await page.setViewportSize({ width: 900, height: 600 });
    await see(page, 'questions-small');
    await composer(page).click();
    await page.keyboard.press('Control+Enter');
    await expect(card).toBeFocused();
    await page.keyboard.press('2');
    await expect(card.getByRole('radio', { name: 'SQLite, in a file' })).toBeChecked();
    await page.keyboard.press('Enter');
    await page.keyboard.press('1');
    await page.keyboard.press('3');
    await expect(card.getByRole('checkbox', { name: 'Reports' })).toBeChecked();
    await see(page, 'questions-answered');
    await expect(async () => {
      await page.keyboard.press('Enter');
      await expect(cards(page)).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
    await idle(page);
    await expect(messages(page)).toContainText('"choices":["SQLite, in a file"]');
    await expect(messages(page)).toContainText('"choices":["Orders","Reports"]');
    await page.getByRole('button', { name: /Asked you/ }).click();
    await expect(messages(page)).toContainText('Orders, Reports');
    await see(page, 'questions-done');
  } finally {
    await server.close();
  }
});

test("a sub-agent's question is declined with a message in the inbox", async ({ launchApp }) => {
  const server = await startAnthropic(asking);
  try {
    const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
    const { page } = await launchApp({ env });
    await skipFirstRun(page);
    await chooseModel(page, 'Anthropic', 'claude-sonnet-4-5', 'Claude Sonnet 4.5');
    await say(page, 'delegate this');
    await expect(cards(page).first()).toContainText(database.question);
    await page.keyboard.press('Control+Shift+A');
    const card = inbox(page).locator('[data-approval]');
    await expect(card.getByRole('heading', { name: 'general-purpose has 2 questions' })).toBeVisible();
    await see(page, 'questions-inbox');
    const send = card.getByRole('button', { name: 'Send 2 answers' });
    await expect(send).toHaveAttribute('aria-disabled', 'true');
    const message = card.getByRole('textbox', { name: 'Message for the agent (optional)' });
    await expect(card.locator('footer')).toHaveAttribute('aria-busy', 'false');
    await card.getByRole('button', { name: 'Decline…' }).click();
    await expect(message).toBeFocused();
    await message.fill('the schema is not finished');
    await see(page, 'questions-decline');
    await page.keyboard.press('Enter');
    await expect(inbox(page).locator('[data-approval]')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await idle(page);
    await expect(messages(page)).toContainText(
      'The person declined to answer. The person said: the schema is not finished',
    );
  } finally {
    await server.close();
  }
});
