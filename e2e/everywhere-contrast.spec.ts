import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/app';
import { violations } from './support/axe';
import { cards, idle, say, skipFirstRun } from './support/window';

const LOOK = process.env.DEEPDESK_LOOK;

async function look(page: Page, name: string): Promise<void> {
  if (!LOOK) return;
  mkdirSync(LOOK, { recursive: true });
  await page.screenshot({ path: join(LOOK, `${name}.png`), animations: 'disabled' });
}

/** Pressed, selected and current elements that look no different in forced colors, because they have no border. */
const faint = (page: Page) =>
  page.evaluate(() => {
    const marked = document.querySelectorAll(
      '[aria-selected="true"], [aria-current="true"], [aria-pressed="true"], [aria-checked="true"]',
    );
    return [...marked]
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        const style = getComputedStyle(element);
        const before = getComputedStyle(element, '::before');
        return ![style.outlineStyle, before.outlineStyle].some((line) => line !== 'none');
      })
      .map((element) => `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`);
  });

/** Buttons and fields without a border, which look like plain text in forced colors. */
const edgeless = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, select, textarea, input:not([type="checkbox"], [type="radio"])')]
      .filter((element) => element.checkVisibility() && element.getClientRects().length > 0)
      .filter((element) => {
        let box: Element | null = element;
        for (let up = 0; up < 3 && box !== null; up += 1, box = box.parentElement) {
          if (Number.parseFloat(getComputedStyle(box).borderTopWidth) > 0) return false;
        }
        return true;
      })
      .map((element) => `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`),
  );

/** Lines, dots and bars without text that have the color of what is behind them: they were only a background. */
const vanished = (page: Page) =>
  page.evaluate(() => {
    const canvas = getComputedStyle(document.body).backgroundColor;
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && element.childNodes.length === 0)
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        const { backgroundColor, borderTopWidth, outlineStyle } = getComputedStyle(element);
        const isThin = width > 0 && height > 0 && Math.min(width, height) <= 8;
        return isThin && backgroundColor === canvas && borderTopWidth === '0px' && outlineStyle === 'none';
      })
      .map((element) => `${element.tagName} ${element.getAttribute('aria-label') ?? element.className}`);
  });

/** What cannot be used and is half transparent on top of the color that forced colors have for it. */
const faded = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(':disabled, [aria-disabled="true"]')]
      .filter((element) => element.checkVisibility() && getComputedStyle(element).opacity !== '1')
      .map((element) => `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`),
  );

const background = (page: Page, name: string) =>
  page
    .getByRole('button', { name, exact: true })
    .evaluate((element) => getComputedStyle(element).backgroundColor);

/** Tabs through the page; the focused element must show its focus. */
async function ringless(page: Page, steps: number): Promise<string[]> {
  const found: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab');
    const shown = await page.evaluate(() => {
      const focused = document.activeElement;
      if (focused === null || focused === document.body) return null;
      for (
        let box: Element | null = focused, up = 0;
        up < 3 && box !== null;
        up += 1, box = box.parentElement
      ) {
        const { outlineStyle, outlineWidth } = getComputedStyle(box);
        if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) return null;
      }
      return `${focused.tagName} ${focused.getAttribute('aria-label') ?? focused.textContent?.slice(0, 60)}`;
    });
    if (shown !== null) found.push(shown);
  }
  return [...new Set(found)];
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`forced colors keep borders, selections and the focus visible, ${colorScheme}`, async ({
    sharedApp,
  }) => {
    test.setTimeout(120_000);
    const { page } = sharedApp;
    await page.emulateMedia({
      colorScheme,
      forcedColors: 'active',
      contrast: 'more',
      reducedMotion: 'reduce',
    });
    await expect(page.locator('html')).toHaveAttribute('data-high-contrast', '');
    const check = async (name: string) => {
      await look(page, `forced-${name}-${colorScheme}`);
      expect.soft(await faint(page), name).toEqual([]);
      expect.soft(await edgeless(page), name).toEqual([]);
      expect.soft(await vanished(page), name).toEqual([]);
      expect.soft(await faded(page), name).toEqual([]);
    };
    await check('first-run');
    await skipFirstRun(page);
    await say(page, 'read README.md then plan: Read; Fix; Test');
    await idle(page);
    await say(page, 'replace "a - b" with "a + b" in src/sum.js');
    await expect(cards(page).first()).toBeVisible();
    await check('decision');
    expect.soft(await ringless(page, 40)).toEqual([]);
    for (const name of ['Changes', 'Memories', 'Plan', 'Files']) {
      await page.getByRole('tab', { name, exact: true }).click();
      await check(`dock-${name.toLowerCase()}`);
      if (name !== 'Memories') continue;
      // The button that sends a form differs from the others.
      await page.getByRole('button', { name: 'New memory' }).first().click();
      const [main, other] = await Promise.all(['Save', 'Cancel'].map((one) => background(page, one)));
      expect.soft(main).not.toBe(other);
      await page.getByRole('button', { name: 'Cancel' }).click();
    }
    await page.keyboard.press('Control+j');
    await check('terminal');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('show');
    await check('palette');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+,');
    const settings = page.getByRole('dialog', { name: 'Settings', exact: true });
    await expect(settings).toBeVisible();
    for (const name of ['Models and keys', 'Usage', 'Rules', 'Appearance', 'Data']) {
      await settings.getByRole('tab', { name, exact: true }).click();
      if (name === 'Data') await expect(settings.getByRole('row', { name: /^Total.*\d/ })).toBeVisible();
      await check(`settings-${name.toLowerCase().replaceAll(' ', '-')}`);
    }
    expect.soft(await ringless(page, 30)).toEqual([]);
  });
}

/** Elements whose text is cut off, although nothing scrolls and nothing shows the rest. */
const cutWords = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, [role="tab"], label, h1, h2, h3, h4')]
      .filter((element) => element.checkVisibility() && element.getClientRects().length > 0)
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
      .filter((element) => element.querySelector('.truncate') === null)
      .filter((element) => !element.matches('.truncate, .sr-only'))
      .map((element) => `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`),
  );

for (const size of [75, 150]) {
  test(`text at ${size}% leaves every page readable in a small window`, async ({ sharedApp }) => {
    test.setTimeout(120_000);
    const { app, page } = sharedApp;
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await skipFirstRun(page);
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
    await page.keyboard.press('Control+,');
    const settings = page.getByRole('dialog', { name: 'Settings', exact: true });
    await settings.getByRole('tab', { name: 'Appearance' }).click();
    await settings.getByLabel('Text size').selectOption(String(size));
    await expect(page.locator('html')).toHaveAttribute('style', new RegExp(`--font-scale: ${size / 100}`));
    // It covers what is below until it is dismissed.
    await settings.getByRole('button', { name: 'Dismiss' }).click();
    const check = async (name: string) => {
      await look(page, `letters-${size}-${name}`);
      expect.soft(await cutWords(page), name).toEqual([]);
      expect.soft(await violations(page), name).toEqual([]);
    };
    for (const name of await settings.getByRole('tab').allTextContents()) {
      await settings.getByRole('tab', { name, exact: true }).click();
      await check(`settings-${name.toLowerCase().replaceAll(' ', '-')}`);
    }
    await page.keyboard.press('Escape');
    await say(page, 'read README.md');
    await idle(page);
    await say(page, 'replace "a - b" with "a + b" in src/sum.js');
    await expect(cards(page).first()).toBeVisible();
    await check('decision');
    await page.keyboard.press('Control+k');
    await check('palette');
  });
}
