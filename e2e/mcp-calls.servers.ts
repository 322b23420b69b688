import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAnthropic } from './providers/anthropic';
import { inTurn } from './providers/script';
import { expect, giveToApp, makeFolder, test } from './support/app';
import { violations } from './support/axe';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { startServer, withServers } from './support/mcp-app';
import { see } from './support/see';
import { allow, cards, composer, idle, messages, say } from './support/window';

test('a resource of a server is attached by its name', async ({ launchApp }) => {
  const folder = makeFolder('project');
  giveToApp(folder);
  const model = await startAnthropic(inTurn([{ text: 'A short book.' }]));
  const trial = startServer('library');
  try {
    const { page, close } = await withServers(launchApp, {
      servers: { library: trial },
      folder,
      modelUrl: model.url,
    });

    await composer(page).click();
    await composer(page).pressSequentially('What is this? @library:');
    const option = page.getByRole('option', { name: /One/ });
    await expect(option).toContainText('The first book.');
    await see(page, 'mcp-resource');
    await option.click();
    await expect(page.getByRole('list', { name: 'Attachments' })).toContainText('one.txt');
    await composer(page).press('Enter');
    await idle(page);
    await expect(messages(page)).toContainText('A short book.');
    const sent = JSON.stringify(model.requests);
    expect(sent).toContain('the resource of an MCP server');
    expect(sent).toContain('Once upon a time.');
    await close();
  } finally {
    trial.kill('SIGKILL');
    await model.close();
  }
});

test('a server shows its progress and asks the user during its calls', async ({ launchApp }) => {
  const folder = makeFolder('project');
  giveToApp(folder);
  const marker = join(folder, 'seen');
  const model = await startAnthropic(
    inTurn([
      { calls: [{ name: 'trial__steps', args: { marker } }] },
      { calls: [{ name: 'trial__ask', args: {} }] },
      { calls: [{ name: 'trial__ask', args: {} }] },
      { text: 'The table is booked.' },
    ]),
  );
  const trial = startServer();
  try {
    const { page, close } = await withServers(launchApp, {
      servers: { trial },
      folder,
      modelUrl: model.url,
    });

    await say(page, 'Book a table.');
    await allow(page);
    await expect(messages(page).getByRole('progressbar', { name: 'Progress' })).toBeVisible();
    await expect(messages(page)).toContainText('Step 1');
    await expect(messages(page)).toContainText('50%');
    await see(page, 'mcp-progress');
    writeFileSync(marker, '');

    await allow(page);
    const card = cards(page);
    await expect(card).toContainText('The MCP server trial asks');
    await expect(card).toContainText('Which table would you like?');
    await expect(card).toContainText('Your answer goes to this MCP server.');
    await expect(composer(page)).toHaveAttribute('placeholder', /waiting for your decision/);
    await expect(page.getByRole('navigation').getByText('1 pending approval').first()).toBeAttached();
    await see(page, 'mcp-question');
    expect(await violations(page, '[data-approval]')).toEqual([]);
    const send = card.getByRole('button', { name: 'Send answer to trial' });
    await card.getByLabel('Your name').fill('Ada');
    await card.getByLabel('Guests').fill('nine');
    await send.click();
    await expect(card).toContainText('Enter a whole number.');
    await card.getByLabel('Guests').fill('3');
    await card.getByLabel('Place').selectOption('out');
    await card.getByLabel('Quiet corner').check();
    const form = card.locator('form');
    await expect(form).toHaveAttribute('aria-busy', 'false');
    await card.getByLabel('Guests').press('Control+Enter');

    await allow(page);
    // A card takes a decision a moment after it appears.
    await expect(form).toHaveAttribute('aria-busy', 'false');
    await card.getByRole('button', { name: 'Decline' }).click();
    await idle(page);
    await expect(messages(page)).toContainText('The table is booked.');
    const sent = JSON.stringify(model.requests);
    expect(sent).toContain(String.raw`\"guests\":3`);
    expect(sent).toContain(String.raw`\"decline\"`);
    await close();
  } finally {
    trial.kill('SIGKILL');
    await model.close();
  }
});

test('a page that a server needs first opens only after the person agrees, and the call is repeated', async ({
  launchApp,
}) => {
  const folder = makeFolder('project');
  giveToApp(folder);
  const marker = join(folder, 'connected');
  const connect = (tells: boolean) => ({ calls: [{ name: 'trial__page_first', args: { marker, tells } }] });
  const model = await startAnthropic(inTurn([connect(false), connect(true), { text: 'All connected.' }]));
  const trial = startServer('old');
  try {
    const { app, page, close } = await withServers(launchApp, {
      servers: { trial },
      folder,
      modelUrl: model.url,
    });
    await answerConfirmations(app, true);
    const card = cards(page);
    const isOpened = async () =>
      (await askedOutside(app)).filter(({ detail }) => detail.includes('accounts.example.com')).length;
    const waits = page.getByRole('navigation').getByText('1 pending approval').first();

    await say(page, 'Connect my account.');
    await allow(page);
    await expect(card).toContainText('The MCP server trial needs you to open a page first');
    await expect(card).toContainText('Opens accounts.example.com in your browser:');
    await expect(card).toContainText(/https:\/\/accounts\.example\.com\/connect\?state=[0-9a-f-]{36}/);
    await see(page, 'mcp-page-first');
    expect(await violations(page, '[data-approval]')).toEqual([]);
    expect(await isOpened()).toBe(0);
    const form = card.locator('form');
    await expect(form).toHaveAttribute('aria-busy', 'false');
    await card.getByRole('button', { name: 'Open page' }).click();
    await expect(card).toContainText('Continue when you have finished on accounts.example.com');
    expect(await isOpened()).toBe(1);
    // In the order of what happened: the answer to the first card does not hide the second one.
    await expect(waits).toBeAttached();
    await see(page, 'mcp-page-finish');
    await expect(form).toHaveAttribute('aria-busy', 'false');
    await card.getByRole('button', { name: 'Decline' }).click();

    await allow(page);
    await expect(form).toHaveAttribute('aria-busy', 'false');
    await card.getByRole('button', { name: 'Open page' }).click();
    await expect(card).toContainText('Continue when you have finished');
    // The server reports that the person has finished.
    writeFileSync(marker, '');
    await idle(page);
    await expect(card).toHaveCount(0);
    await expect(messages(page)).toContainText('All connected.');
    const sent = JSON.stringify(model.requests);
    expect(sent).toContain('The person declined, so it was not run.');
    expect(sent).toContain('Signed in, and done.');
    await close();
  } finally {
    trial.kill('SIGKILL');
    await model.close();
  }
});
