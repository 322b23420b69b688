import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capability } from '../scripts/runtime/capabilities.mjs';
import { expect, makeFolder, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { currentRun } from './support/run';
import { see } from './support/see';
import { allow, cards, idle, messages, say, skipFirstRun } from './support/window';

/** Not writable for the user; outside the sandbox the error is "Permission denied". */
const OUTSIDE = '/opt/deepdesk-journey.txt';

test('commands run in the sandbox without asking in its mode, and refusals are shown', async ({
  launchApp,
}) => {
  const sandbox = await capability('commandSandbox', { user: currentRun().user });
  test.skip(!sandbox.works, sandbox.reason ?? '');
  const temporary = makeFolder('temporary');
  const { app, page, dataDir, shot } = await launchApp({ env: { TMPDIR: temporary } });
  const sample = (name: string) => join(dataDir, 'sample-project', name);
  await skipFirstRun(page);

  await test.step('the mode is chosen in the title bar, and needs confirmation because it asks less', async () => {
    await page.getByRole('button', { name: /^Approval mode/ }).click();
    await see(page, 'modes');
    await shot('modes');
    await answerConfirmations(app, true);
    await page.getByRole('menuitemcheckbox', { name: /^Auto in the sandbox/ }).click();
    expect((await askedOutside(app)).map(({ message }) => message)).toEqual([
      'Change “sample-project” to “Auto in the sandbox”?',
    ]);
    await expect(page.getByRole('button', { name: 'Approval mode: Auto in the sandbox' })).toBeVisible();
  });

  await test.step('a command that changes the folder runs without asking', async () => {
    await say(page, 'run echo from the sandbox > made.txt');
    await idle(page);
    await expect(cards(page)).toHaveCount(0);
    expect(readFileSync(sample('made.txt'), 'utf8')).toBe('from the sandbox\n');
  });

  await test.step('a write outside is denied, and the call says so', async () => {
    await say(page, `run touch ${OUTSIDE}`);
    await idle(page);
    await expect(cards(page)).toHaveCount(0);
    expect(existsSync(OUTSIDE)).toBe(false);
    await messages(page)
      .getByRole('button', { name: /^Ran touch/ })
      .last()
      .click();
    await expect(messages(page).getByText('Ran in the sandbox, which blocked attempts to:')).toBeVisible();
    await expect(
      messages(page)
        .getByRole('listitem')
        .filter({ hasText: `write ${OUTSIDE}` }),
    ).toBeVisible();
    await expect(messages(page).getByText('run it again with outside_sandbox')).toBeVisible();
    await see(page, 'refused');
  });

  await test.step('the network is blocked, and a host can be allowed from the call', async () => {
    await say(page, 'run curl -sS https://example.com');
    await idle(page);
    await messages(page)
      .getByRole('button', { name: /^Ran curl/ })
      .last()
      .click();
    await messages(page).getByRole('button', { name: 'Allow example.com…' }).click();
    await see(page, 'allow-host');
    await page.getByRole('menuitem', { name: 'In this project' }).click();
    await expect(page.getByText('can now reach example.com')).toBeVisible();
  });

  await test.step('the settings show the sandbox and list the host', async () => {
    await page.keyboard.press('Control+,');
    await page.getByRole('tab', { name: 'Sandbox' }).click();
    await expect(page.getByText('Deepdesk can sandbox commands here with bubblewrap.')).toBeVisible();
    await expect(page.getByRole('listitem', { name: 'example.com' })).toBeVisible();
    await see(page, 'settings');
    await shot('sandbox');
    await page.keyboard.press('Escape');
  });

  await test.step('a command that names a secret still asks, and runs outside the sandbox once it is allowed', async () => {
    await say(page, 'run touch .env');
    const card = cards(page).first();
    await expect(card).toContainText('Runs outside the sandbox');
    await see(page, 'card');
    await allow(page);
    await idle(page);
    expect(existsSync(sample('.env'))).toBe(true);
  });

  await test.step('the sandbox check leaves nothing behind', async () => {
    expect(readdirSync(temporary).filter((name) => name.startsWith('deepdesk-trial-'))).toEqual([]);
  });

  await test.step('one key switches to a stricter mode', async () => {
    await page.keyboard.press('Control+Shift+L');
    await expect(page.getByRole('button', { name: 'Approval mode: Ask before changes' })).toBeVisible();
    await say(page, 'run touch asked.txt');
    await expect(cards(page)).toHaveCount(1);
  });
});
