import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ElectronApplication, Page } from '@playwright/test';
import { root } from '../scripts/process.mjs';
import { startAnthropic } from './providers/anthropic';
import type { Script } from './providers/script';
import { expect, test } from './support/app';
import { see } from './support/see';
import { allow, cards, idle, skipFirstRun } from './support/window';

const AGENT = join(root, 'scripts/agent.mjs');
const routines = (page: Page) => page.getByRole('dialog', { name: 'Routines', exact: true });
const openRoutines = (page: Page) => page.getByRole('button', { name: 'Routines', exact: true }).click();
const inSample = (dataDir: string, path: string) => join(dataDir, 'sample-project', path);

/** Writes the report; when the test says so, it also writes somewhere else. */
const reporting =
  (extra: () => string | null, folder: () => string): Script =>
  ({ messages, lastToolResults }) => {
    if (lastToolResults.length > 0 || messages.length > 1) return { text: 'The report is written.' };
    const other = extra();
    const write = (file: string) => ({
      name: 'write_file',
      args: { file_path: join(folder(), file), content: `report\n` },
    });
    return { calls: [write('report.md'), ...(other === null ? [] : [write(other)])] };
  };

async function fill(page: Page, fields: { name: string; prompt: string; schedule: string }): Promise<void> {
  const form = routines(page).getByRole('form');
  await form.getByLabel('Name').fill(fields.name);
  await form.getByLabel('Prompt').fill(fields.prompt);
  await form.getByRole('textbox', { name: 'Schedule' }).fill(fields.schedule);
  await form.getByLabel('Time zone').selectOption('UTC');
}

/** Sets the app's clock, and wakes the app up as after a sleep. */
const setClock = (app: ElectronApplication, at: number) =>
  app.evaluate(({ powerMonitor }, to) => {
    const { now } = Date;
    const ahead = to - now();
    Date.now = () => now() + ahead;
    powerMonitor.emit('resume');
  }, at);

const DAY = 24 * 60 * 60 * 1_000;
const HOUR = DAY / 24;
/** That hour, UTC, so many days from now. */
const timeOn = (day: number, hour: number) => Math.floor(Date.now() / DAY + day) * DAY + hour * HOUR;

test('a routine repeats what its first run did, asks about anything else, and each run is undone as a whole', async ({
  launchApp,
}) => {
  let extra: string | null = null;
  let folder = '';
  const server = await startAnthropic(
    reporting(
      () => extra,
      () => folder,
    ),
  );
  try {
    const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
    const { page, app, dataDir, shot, close } = await launchApp({ env });
    folder = inSample(dataDir, '');
    await skipFirstRun(page);
    await setClock(app, timeOn(1, 12));
    await openRoutines(page);
    await expect(routines(page)).toContainText('A routine runs a prompt on a schedule');
    await see(page, 'routines-empty');
    await routines(page).getByRole('button', { name: 'New routine…' }).click();
    await fill(page, { name: 'Morning report', prompt: 'Write the report.', schedule: 'every day at 9' });
    const preview = routines(page).getByRole('status');
    await expect(preview).toContainText('0 9 * * *');
    // The zone is named if it is not the person's own.
    const zone = routines(page).getByLabel('Time zone');
    await zone.selectOption('America/New_York');
    await expect(preview).toContainText(/9:00 AM E[SD]T/);
    await see(page, 'routines-zone');
    await zone.selectOption('UTC');
    await expect(preview).not.toContainText(/E[SD]T/);
    await routines(page).getByLabel('Model').selectOption('anthropic:claude-sonnet-4-5');
    await see(page, 'routines-form');
    await routines(page).getByRole('button', { name: 'Create routine' }).click();
    const item = routines(page).getByRole('listitem', { name: 'Morning report' });
    await expect(item).toContainText('Later runs do only what you allow in it');
    await item.getByRole('button', { name: 'Start first run' }).click();

    // The first run is attended.
    await expect(cards(page)).toContainText('report.md');
    await allow(page);
    await idle(page);
    expect(readFileSync(inSample(dataDir, 'report.md'), 'utf8')).toBe('report\n');

    // The second one runs at its time, and stays inside of the record.
    await setClock(app, timeOn(2, 9));
    await openRoutines(page);
    await expect(item).toContainText('May repeat 1 call');
    await expect(item.getByText('On schedule')).toBeVisible();
    await expect(item.getByText('Finished')).toHaveCount(2);

    // The third one goes outside.
    extra = 'other.md';
    await item.getByRole('button', { name: 'Run now' }).click();
    const card = cards(page);
    await expect(card).toContainText('Outside of what this routine did in its first run.');
    await see(page, 'routines-outside');
    await shot('routine');
    expect(existsSync(inSample(dataDir, 'other.md'))).toBe(false);
    await page.keyboard.press('Control+Shift+A');
    const inbox = page.getByRole('dialog', { name: 'Waiting for you', exact: true });
    await expect(inbox).toContainText('other.md');
    await page.keyboard.press('Escape');
    const always = card.getByRole('button', { name: 'Always for this routine' });
    await expect(always).toHaveAttribute('aria-disabled', 'false');
    await always.click();
    await idle(page);
    await expect.poll(() => existsSync(inSample(dataDir, 'other.md'))).toBe(true);
    await openRoutines(page);
    await expect(item).toContainText('May repeat 2 calls');
    const last = item.getByRole('region', { name: 'History' }).getByRole('listitem').first();
    await expect(last).toContainText('1 file changed');
    await see(page, 'routines-history');
    await page.setViewportSize({ width: 900, height: 600 });
    await see(page, 'routines-history-small');
    await last.getByRole('button', { name: 'Undo all' }).click();
    await expect(last).toContainText('Changes undone');
    expect(existsSync(inSample(dataDir, 'other.md'))).toBe(false);
    expect(existsSync(inSample(dataDir, 'report.md'))).toBe(true);
    await close();

    // Without a window, it stays inside of the record, too.
    extra = null;
    const headless = (...args: string[]) =>
      promisify(execFile)(process.execPath, [AGENT, '--data-dir', dataDir, ...args], {
        env: { ...process.env, ...env },
      });
    expect((await headless('--list-routines')).stdout).toContain('Morning report');
    rmSync(inSample(dataDir, 'report.md'));
    expect((await headless('--routine', 'Morning report')).stdout).toContain('The report is written.');
    expect(readFileSync(inSample(dataDir, 'report.md'), 'utf8')).toBe('report\n');
  } finally {
    await server.close();
  }
});

test('a run that was missed while Deepdesk was closed is offered once', async ({ launchApp }) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await setClock(first.app, Date.now() - 3 * DAY);
  await openRoutines(first.page);
  await routines(first.page).getByRole('button', { name: 'New routine…' }).click();
  // Half a day from now, so that it is not due while the test runs.
  const hour = (new Date().getUTCHours() + 12) % 24;
  const name = 'A routine with a long name that does not fit into the sidebar or on one line of its page';
  await fill(first.page, { name, prompt: 'create missed.txt with "m"', schedule: `every day at ${hour}` });
  await routines(first.page).getByRole('button', { name: 'Create routine' }).click();
  await routines(first.page).getByRole('button', { name: 'Start first run' }).click();
  await allow(first.page);
  await idle(first.page);
  await first.close();

  const { page } = await launchApp({ dataDir: first.dataDir });
  const offer = page.getByRole('status').filter({ hasText: 'missed' });
  await expect(offer).toContainText(name);
  await see(page, 'routines-missed');
  await page.setViewportSize({ width: 900, height: 600 });
  await openRoutines(page);
  await see(page, 'routines-missed-small');
  const item = routines(page).getByRole('listitem', { name });
  await expect(item.getByRole('status')).toContainText('Missed');
  await item.getByRole('status').getByRole('button', { name: 'Run now' }).click();
  await idle(page);
  await openRoutines(page);
  await expect(item.getByText('Caught up')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'issed' })).toHaveCount(0);
});

test('the error of a used-up budget leads to the budget of its routine', async ({ launchApp }) => {
  const server = await startAnthropic(() => ({ text: 'Done.' }));
  try {
    const { page } = await launchApp({
      env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url },
    });
    await skipFirstRun(page);
    await openRoutines(page);
    await routines(page).getByRole('button', { name: 'New routine…' }).click();
    await fill(page, { name: 'Morning report', prompt: 'Report.', schedule: 'every day at 9' });
    await routines(page).getByLabel('Model').selectOption('anthropic:claude-sonnet-4-5');
    const tokens = routines(page).getByLabel('Budget per run in tokens');
    await tokens.fill('1');
    await routines(page).getByRole('button', { name: 'Create routine' }).click();
    await routines(page).getByRole('button', { name: 'Start first run' }).click();
    await page.getByRole('log').getByRole('button', { name: 'Raise budget…' }).click();
    await expect(routines(page).getByLabel('Budget per run in dollars')).toBeFocused();
    await expect(tokens).toBeInViewport();
    await tokens.fill('');
    await routines(page).getByRole('button', { name: 'Save routine' }).click();
    await expect(tokens).toHaveCount(0);
    await page.keyboard.press('Escape');
    await page.getByRole('log').getByRole('button', { name: 'Try again' }).click();
    await idle(page);
    await expect(page.getByRole('log')).toContainText('Done.');
  } finally {
    await server.close();
  }
});

test('a routine is created and edited with the keyboard alone', async ({ launchApp }) => {
  const { page } = await launchApp();
  await skipFirstRun(page);
  await openRoutines(page);
  const button = (name: string) => routines(page).getByRole('button', { name });
  await button('New routine…').press('Enter');
  await expect(routines(page).getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Report');
  await fill(page, { name: 'Report', prompt: 'list files', schedule: 'someday' });
  await button('Create routine').press('Enter');
  await expect(routines(page).getByRole('alert')).toContainText("doesn't understand");
  const schedule = routines(page).getByRole('textbox', { name: 'Schedule' });
  await expect(schedule).toBeFocused();
  await expect(schedule).toHaveAccessibleDescription(/doesn't understand/);
  await schedule.fill('every day at 9');
  await button('Create routine').press('Enter');
  await expect(button('New routine…')).toBeFocused();
  await button('Edit…').press('Enter');
  await expect(routines(page).getByLabel('Name')).toBeFocused();
  await button('Cancel').press('Enter');
  await expect(button('Edit…')).toBeFocused();
});
