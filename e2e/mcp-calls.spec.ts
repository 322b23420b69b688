import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAnthropic } from './providers/anthropic';
import { inTurn } from './providers/script';
import { expect, giveToApp, makeFolder, test } from './support/app';
import { violations } from './support/axe';
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
    await expect(card).toContainText('Enter a number.');
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
