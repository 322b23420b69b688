import { basename } from 'node:path';
import type { ElectronApplication, Locator, Page } from '@playwright/test';
import { answerFolderDialog, expect } from './app';

// Finds parts of the window by their visible text, so that a journey fails where a person would be lost.

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message to the agent' });
export const messages = (page: Page): Locator => page.getByRole('log', { name: 'Messages' });
/** Pending approval cards, in the order of the conversation. */
export const cards = (page: Page): Locator => page.locator('[data-approval]');

/** Dismisses the first-run card. */
export async function skipFirstRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Skip' }).click();
}

/** Opens a folder as a project. Until the window shows it, everything else would happen in the project before. */
export async function addFolder(
  { app, page }: { app: ElectronApplication; page: Page },
  folder: string,
): Promise<void> {
  await answerFolderDialog(app, folder);
  await page.getByRole('button', { name: 'Add folder' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(basename(folder));
}

/** Types a message like a person, and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await composer(page).click();
  await composer(page).fill(text);
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('');
}

/** The main button of a card: a command is asked about before it runs, or afterwards where it can run in a layer first. */
const ALLOW = /^(Allow once|Keep all)/;

/**
 * Allows the first pending call, or keeps what it did, after scrolling to its end. The button is enabled a moment after the
 * card appears, so this waits for it.
 */
export async function allow(page: Page, card: Locator = cards(page).first()): Promise<void> {
  const id = await card.getAttribute('data-approval');
  const button = card.getByRole('button', { name: ALLOW });
  const body = card.getByRole('group', { name: 'What it does' });
  const long = card.locator('[data-scrolls]');
  await expect(async () => {
    for (const area of [...(await long.all()), ...(await body.all())])
      await area.evaluate((it) => it.scrollTo(0, it.scrollHeight));
    await expect(button).toHaveAttribute('aria-disabled', 'false', { timeout: 500 });
  }).toPass({ timeout: 10_000 });
  await button.click();
  // A card under the pointer takes twice as long to accept a decision.
  await page.mouse.move(0, 0);
  await expect(page.locator(`[data-approval="${id}"]`)).toHaveCount(0);
}

/** Shows the terminal if it is hidden. Chromium saves what a window shows every few seconds, so a kill can lose that it was shown. */
export async function openTerminal(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Show or hide the terminal' });
  if ((await button.getAttribute('aria-pressed')) === 'false') await button.click();
}

/** Switches to a stricter approval mode. */
export async function chooseMode(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Approval mode/ }).click();
  await page.getByRole('menuitemcheckbox', { name }).click();
  await expect(page.getByRole('button', { name: `Approval mode: ${name}` })).toBeVisible();
}

/** Waits until the agent neither works nor waits for a decision. */
export async function idle(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
}

/** Chooses a model by its name. `shown`: its name in the window, if the catalog knows it. */
export async function chooseModel(page: Page, provider: string, name: string, shown = name): Promise<void> {
  await page
    .getByRole('button', { name: /^Model:/ })
    .first()
    .click();
  const section = page.getByRole('region', { name: provider, exact: true });
  await section.getByRole('button', { name: 'Other model ID' }).click();
  await section.getByRole('textbox', { name: 'Other model ID' }).fill(name);
  await section.getByRole('button', { name: 'Use', exact: true }).click();
  await expect(page.getByRole('button', { name: `Model: ${shown}` }).first()).toBeVisible();
}
