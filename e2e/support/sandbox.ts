import type { Page } from '@playwright/test';
import { capability } from '../../scripts/runtime/capabilities.mjs';
import { expect } from './app';
import { currentRun } from './run';

/** Whether read-only commands run in the read-only sandbox without asking. They ask on machines without a sandbox. */
export const hasCommandSandbox = async (): Promise<boolean> =>
  (await capability('commandSandbox', { user: currentRun().user })).works;

let inLayers: boolean | undefined;

/** Whether commands run in a throwaway layer first, as the settings of the app say. Leaves the settings closed. */
export async function runsInLayers(page: Page): Promise<boolean> {
  if (inLayers !== undefined) return inLayers;
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'Sandbox' }).click();
  const runs = page.getByText('Commands run in a throwaway layer first.');
  const asks = page.getByText("Deepdesk can't run commands in a throwaway layer here");
  await expect(
    runs.or(asks).or(page.getByText("Deepdesk can't sandbox commands on this system")),
  ).toBeVisible();
  inLayers = await runs.isVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  return inLayers;
}
