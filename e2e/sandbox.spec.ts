import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capability } from '../scripts/runtime/capabilities.mjs';
import { expect, makeFolder, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { currentRun } from './support/run';
import { allow, cards, idle, messages, say, skipFirstRun } from './support/window';

/** Nobody may write there; outside the sandbox it says "Permission denied". */
const OUTSIDE = '/opt/deepdesk-journey.txt';

test('in the mode for it commands run without asking in the sandbox, and what it refuses is said', async ({
  launchApp,
}) => {
  const sandbox = await capability('commandSandbox', { user: currentRun().user });
  test.skip(!sandbox.works, sandbox.reason ?? '');
  const temporary = makeFolder('temporary');
  const { app, page, dataDir } = await launchApp({ env: { TMPDIR: temporary } });
  const sample = (name: string) => join(dataDir, 'sample-project', name);
  const look = async (name: string) => {
    const folder = process.env.DEEPDESK_LOOK;
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  await skipFirstRun(page);

  await test.step('the mode is chosen in the title bar, and confirmed since it asks less', async () => {
    await page.getByRole('button', { name: /^Approval mode/ }).click();
    await look('modes');
    await answerConfirmations(app, true);
    await page.getByRole('menuitemcheckbox', { name: /^Auto in the sandbox/ }).click();
    expect((await askedOutside(app)).map(({ message }) => message)).toEqual([
      'Change “sample-project” to “Auto in the sandbox”?',
    ]);
    await expect(page.getByRole('button', { name: 'Approval mode: Auto in the sandbox' })).toBeVisible();
  });

  await test.step('a command that changes the folder runs without a question', async () => {
    await say(page, 'run echo from the sandbox > made.txt');
    await idle(page);
    await expect(cards(page)).toHaveCount(0);
    expect(readFileSync(sample('made.txt'), 'utf8')).toBe('from the sandbox\n');
  });

  await test.step('a write outside is refused, and the call says so', async () => {
    await say(page, `run touch ${OUTSIDE}`);
    await idle(page);
    await expect(cards(page)).toHaveCount(0);
    expect(existsSync(OUTSIDE)).toBe(false);
    await messages(page).getByRole('button', { name: /touch/ }).last().click();
    await expect(messages(page).getByText('Ran in the sandbox, which blocked attempts to:')).toBeVisible();
    await expect(
      messages(page)
        .getByRole('listitem')
        .filter({ hasText: `write ${OUTSIDE}` }),
    ).toBeVisible();
    await expect(messages(page).getByText('run it again with outside_sandbox')).toBeVisible();
    await look('refused');
  });

  await test.step('the network is not there, and the host can be allowed from the call', async () => {
    await say(page, 'run curl -sS https://example.com');
    await idle(page);
    await messages(page).getByRole('button', { name: /curl/ }).last().click();
    await messages(page).getByRole('button', { name: 'Allow example.com…' }).click();
    await look('allow-host');
    await page.getByRole('menuitem', { name: 'In this project' }).click();
    await expect(page.getByText('can now reach example.com')).toBeVisible();
  });

  await test.step('the settings say what there is, and list the host', async () => {
    await page.keyboard.press('Control+,');
    await page.getByRole('tab', { name: 'Sandbox' }).click();
    await expect(page.getByText('Deepdesk can sandbox commands here with bubblewrap.')).toBeVisible();
    await expect(page.getByRole('listitem', { name: 'example.com' })).toBeVisible();
    await look('settings');
    await page.keyboard.press('Escape');
  });

  await test.step('what names a secret is asked about all the same, and allowed it runs outside', async () => {
    await say(page, 'run touch .env');
    const card = cards(page).first();
    await expect(card).toContainText('Runs outside the sandbox');
    await look('card');
    await allow(page);
    await idle(page);
    expect(existsSync(sample('.env'))).toBe(true);
  });

  await test.step('nothing is left of the trial that found the sandbox', async () => {
    expect(readdirSync(temporary).filter((name) => name.startsWith('deepdesk-trial-'))).toEqual([]);
  });

  await test.step('one key tightens', async () => {
    await page.keyboard.press('Control+Shift+L');
    await expect(page.getByRole('button', { name: 'Approval mode: Ask before changes' })).toBeVisible();
    await say(page, 'run touch asked.txt');
    await expect(cards(page)).toHaveCount(1);
  });
});
