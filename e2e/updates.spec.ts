import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startUpdateServer } from '../src-main/updates/testing/update-server';
import { expect, giveToApp, makeFolder, test } from './support/app';
import { see } from './support/see';
import { composer, skipFirstRun } from './support/window';

const OLD = 'the old app\n';

async function openAbout(page: Page) {
  await skipFirstRun(page);
  await composer(page).click();
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings', exact: true });
  await dialog.getByRole('tab', { name: 'About', exact: true }).click();
  return dialog;
}

test('an update is refused when it was changed, downloaded when it is right, and installed when the app quits', async ({
  launchApp,
}) => {
  test.skip(process.platform !== 'linux', 'an AppImage is replaced on Linux only');
  const server = await startUpdateServer();
  try {
    const place = makeFolder('app-image');
    const appImage = join(place, 'Deepdesk.AppImage');
    writeFileSync(appImage, OLD, { mode: 0o755 });
    giveToApp(place);
    const contents = await server.publish('99.0.0', {
      notes: '- Answers arrive faster.\n- <b>Text</b> of the changelog stays text.',
    });
    const feed = join(server.folder, 'updates.json');
    const signed = readFileSync(feed);
    writeFileSync(feed, signed.toString().replace('99.0.0', '99.0.1'));
    const source = { feed: server.url, key: server.keys.publicKey };
    const running = await launchApp({
      env: { APPIMAGE: appImage, DEEPDESK_TEST_UPDATES: JSON.stringify(source) },
    });
    const { page, app } = running;
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
    const about = await openAbout(page);
    const check = about.getByRole('button', { name: 'Check now' });
    await expect(about.getByText('Not checked yet.')).toBeVisible();
    expect(server.requests).toEqual([]);
    await check.click();
    await expect(about.getByText(/The signature of the list of versions is wrong/)).toBeVisible();
    await see(page, 'updates-refused');

    writeFileSync(feed, signed);
    await check.click();
    await expect(about.getByText('Version 99.0.0 is ready.', { exact: false })).toBeVisible();
    await expect(about.getByText('<b>Text</b> of the changelog')).toBeVisible();
    await expect(about.getByRole('button', { name: 'Restart now' })).toBeVisible();
    await see(page, 'updates-ready');
    expect(readFileSync(appImage, 'utf8')).toBe(OLD);
    await running.close();
    expect(readFileSync(appImage).equals(contents)).toBe(true);
  } finally {
    await server.close();
  }
});

test('the settings say how a copy without updates of its own gets a new version', async ({ sharedApp }) => {
  const about = await openAbout(sharedApp.page);
  await expect(about.getByText('git pull && npm ci && npm start')).toBeVisible();
  await expect(about.getByRole('checkbox', { name: /^Check for updates/ })).toHaveCount(0);
  await see(sharedApp.page, 'updates-source');
});
