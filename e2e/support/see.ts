import { join } from 'node:path';
import type { Page } from '@playwright/test';

const look = process.env.DEEPDESK_LOOK;

/** For visual checks: with DEEPDESK_LOOK=FOLDER it saves screenshots of the window there, light and dark. */
export async function see(page: Page, name: string): Promise<void> {
  if (!look) return;
  for (const theme of ['dark', 'light']) {
    await page.evaluate((wanted) => {
      document.documentElement.dataset.theme = wanted;
    }, theme);
    await page.screenshot({ path: join(look, `${name}-${theme}.png`) });
  }
}
