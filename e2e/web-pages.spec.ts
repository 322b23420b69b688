import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAnthropic } from './providers/anthropic';
import { inTurn } from './providers/script';
import { expect, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { see } from './support/see';
import { cards, chooseModel, idle, messages, say, skipFirstRun } from './support/window';

// What is read of the internet is tested in src-main/host/approvals/web-pages.test.ts: a journey reaches this computer only.

test('a web page asks by its host, pages of this computer are refused, and a rule for a host is in Settings', async ({
  launchApp,
}) => {
  let arrived = 0;
  const local = createServer((_request, response) => {
    arrived++;
    response.end('inside');
  });
  await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
  const { port } = local.address() as AddressInfo;
  const server = await startAnthropic(
    inTurn([
      { calls: [{ name: 'fetch_url', args: { url: `http://127.0.0.1:${port}/` } }] },
      { calls: [{ name: 'fetch_url', args: { url: 'https://docs.example.org/guide?chapter=2' } }] },
      { text: 'I go on without it.' },
    ]),
  );
  try {
    const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
    const { app, page } = await launchApp({ env });
    await skipFirstRun(page);
    await chooseModel(page, 'Anthropic', 'claude-sonnet-4-5', 'Claude Sonnet 4.5');
    await say(page, 'Read the guide.');
    const card = cards(page);
    await expect(card.getByRole('heading', { name: 'Read a page from docs.example.org' })).toBeVisible();
    await expect(card).toContainText('https://docs.example.org/guide?chapter=2');
    await expect(card).toContainText('It reads a page from docs.example.org. The host gets the address.');
    await expect(messages(page)).toContainText(
      'Addresses of this computer and its local network cannot be read.',
    );
    expect(arrived).toBe(0);
    await see(page, 'web-card');

    await answerConfirmations(app, true);
    await expect(card.locator('footer')).toHaveAttribute('aria-busy', 'false');
    await card.getByRole('button', { name: 'Always…' }).click();
    await expect(card.getByRole('radio', { name: 'fetch docs.example.org' })).toBeChecked();
    await see(page, 'web-always');
    await card.getByRole('button', { name: 'Back' }).click();
    await card.getByRole('button', { name: 'Reject', exact: true }).click();
    await idle(page);

    await page.keyboard.press('Control+,');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('tab', { name: 'Rules', exact: true }).click();
    await settings.getByRole('button', { name: 'Add rule' }).click();
    await settings.getByRole('combobox', { name: 'Applies to' }).selectOption('Web pages of a host');
    await settings.getByRole('textbox').last().fill('docs.example.org');
    await settings.getByRole('button', { name: 'Save rule' }).click();
    await expect(settings).toContainText('fetch docs.example.org');
    expect((await askedOutside(app)).map(({ detail }) => detail)).toEqual([
      expect.stringContaining('fetch docs.example.org'),
    ]);
    await see(page, 'web-rule');
  } finally {
    await server.close();
    local.close();
  }
});
