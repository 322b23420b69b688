import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { Language } from '../src-renderer/i18n/fill';
import { translator } from '../src-renderer/i18n/translate';
import { answerFolderDialog, expect, giveToApp, makeFolder, test } from './support/app';
import { violations } from './support/axe';
import { latinTexts } from './support/mixed';
import { onSystemIn } from './support/system-language';

const LOOK = process.env.DEEPDESK_LOOK;
const TYPED = ['replace "a - b" with "a + b" in src/sum.js', 'sum.js', 'src/sum.js', 'src', 'npm test'];

for (const language of ['en', 'zh'] as const satisfies readonly Language[]) {
  // Reads labels from the catalog, so that one journey covers both languages.
  const t = translator(language);

  /**
   * Checks the page, or the menu or dialog over it, in both themes for accessibility problems and for text in another
   * language. Checks all of them before it fails.
   */
  const check = async (page: Page, name: string, over?: 'menu' | 'dialog') => {
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      if (LOOK) {
        mkdirSync(LOOK, { recursive: true });
        const path = join(LOOK, `${language}-${name}-${theme}.png`);
        await page.screenshot({ path, animations: 'disabled' });
      }
      const about = theme === 'light' ? 'all' : 'colors';
      expect.soft(await violations(page, over && `[role="${over}"]`, about), `${name}, ${theme}`).toEqual([]);
    }
    if (language === 'zh') expect.soft(await latinTexts(page, ...TYPED), name).toEqual([]);
  };
  const named = (scope: Page | Locator, name: string) => scope.getByRole('button', { name, exact: true });
  const start = onSystemIn(language);

  test(`dialogs and menus can be read with a screen reader, ${language}`, async ({ launchApp }) => {
    test.setTimeout(180_000);
    const { page, app, dataDir } = await launchApp(start);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    const project = join(dataDir, 'sample-project');
    await named(page, t('onboarding.skip')).click();
    const composer = page.getByRole('textbox', { name: t('chat.composer') });
    await composer.fill('/');
    await check(page, 'commands');
    await composer.fill('@s');
    await check(page, 'names');
    await composer.fill(TYPED[0] ?? '');
    await composer.press('Enter');
    const card = page.locator('[data-approval]');
    const allow = card.getByRole('button', { name: t('approvals.allow') }).first();
    await expect(allow).toHaveAttribute('aria-disabled', 'false');
    await named(card, t('approvals.editCall')).click();
    await check(page, 'card-edit');
    await named(card, t('approvals.back')).click();
    await named(card, t('approvals.rejectWhy')).click();
    await check(page, 'card-reason');
    await named(card, t('approvals.back')).click();
    await allow.click();
    await expect(card).toHaveCount(0);
    await expect(named(page, t('chat.send'))).toBeVisible();

    // Another program changed a file that the agent has changed.
    writeFileSync(join(project, 'src', 'sum.js'), 'export const sum = 1;\n');
    giveToApp(project);
    await page.getByRole('tab', { name: t('changes.title'), exact: true }).click();
    await named(page, t('changes.revertAll')).click();
    await expect(page.getByRole('dialog', { name: t('changes.askTitle') })).toBeVisible();
    await check(page, 'revert', 'dialog');
    await page.keyboard.press('Escape');

    const actions = page.getByRole('button', {
      name: t('sidebar.projectActions', { project: 'sample-project' }),
    });
    await actions.click();
    await check(page, 'menu-project', 'menu');
    await page.getByRole('menuitem', { name: t('sidebar.remove') }).click();
    await expect(
      page.getByRole('dialog', { name: t('sidebar.removeTitle', { project: 'sample-project' }) }),
    ).toBeVisible();
    await check(page, 'remove', 'dialog');
    await page.keyboard.press('Escape');

    const mode = (now: 'modes.ask-risky' | 'modes.ask-all') =>
      page.getByRole('button', { name: t('approvals.modeNow', { mode: t(now) }) });
    await mode('modes.ask-risky').click();
    await check(page, 'menu-mode', 'menu');
    await page.getByRole('menuitemcheckbox', { name: t('modes.ask-all') }).click();
    await expect(mode('modes.ask-all')).toBeVisible();

    await page.keyboard.press('Control+p');
    await page.keyboard.type('package.json');
    await page.keyboard.press('Enter');
    const viewer = page.getByRole('region', { name: /package\.json$/ });
    await viewer.getByText('"test"').click();
    await page.keyboard.press('Control+g');
    await expect(page.getByRole('dialog', { name: t('files.goToLine') })).toBeVisible();
    await check(page, 'go-to-line', 'dialog');
    await page.keyboard.press('Escape');
    await named(viewer, t('files.edit')).click();
    await check(page, 'editor');
    await viewer.getByRole('textbox', { name: /package\.json/ }).press('Control+End');
    await page.keyboard.type('more');
    await named(viewer, t('files.more')).click();
    await check(page, 'menu-file', 'menu');
    await page.keyboard.press('Escape');
    await viewer.getByRole('button', { name: t('files.backToTree') }).click();
    await expect(page.getByRole('dialog')).toContainText(t('files.unsavedTitle', { name: 'package.json' }));
    await check(page, 'unsaved', 'dialog');
    await named(page.getByRole('dialog'), t('files.discard')).click();

    const memories = makeFolder('memories');
    writeFileSync(join(memories, 'color.md'), 'blue\n');
    giveToApp(memories);
    await answerFolderDialog(app, memories);
    await page.getByRole('tab', { name: t('memories.title'), exact: true }).click();
    await named(page, t('memories.more')).click();
    await page.getByRole('menuitem', { name: t('memories.import') }).click();
    await expect(page.getByRole('dialog', { name: t('memories.importTitle') })).toBeVisible();
    await check(page, 'import', 'dialog');
    await page.keyboard.press('Escape');
    await named(page, t('memories.add')).first().click();
    await check(page, 'memory-new');
  });

  test(`terminals and settings forms can be read with a screen reader, ${language}`, async ({
    launchApp,
  }) => {
    test.setTimeout(180_000);
    const { page } = await launchApp(start);
    await named(page, t('onboarding.skip')).click();
    await page.keyboard.press('Control+j');
    await named(page, t('terminal.newTerminal')).first().click();
    await expect(page.locator('.xterm')).toBeVisible();
    await named(page, t('terminal.options')).click();
    await check(page, 'menu-terminal', 'menu');
    await page.keyboard.press('Escape');
    await named(page, t('terminal.rename')).click();
    await expect(page.getByRole('dialog', { name: t('terminal.renameTitle') })).toBeVisible();
    await check(page, 'terminal-name', 'dialog');
    await page.keyboard.press('Escape');
    await page.locator('.xterm').click();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'echo one\necho two\n');
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await expect(page.getByRole('dialog', { name: t('terminal.pasteTitle', { count: 2 }) })).toBeVisible();
    await check(page, 'terminal-paste', 'dialog');
    await page.keyboard.press('Escape');

    // A terminal keeps all keys.
    await page.getByRole('textbox', { name: t('chat.composer') }).click();
    await page.keyboard.press('Control+,');
    const settings = page.getByRole('dialog', { name: t('settings.title'), exact: true });
    const section = async (name: string) => {
      await settings.getByRole('tab', { name, exact: true }).click();
      await expect(settings.getByRole('tabpanel', { name })).toBeVisible();
    };
    const anthropic = settings.getByRole('listitem', { name: 'Anthropic', exact: true });
    await section(t('settings.models'));
    await named(anthropic, t('settings.enterKey')).click();
    await check(page, 'form-key');
    await section(t('settings.mcp'));
    await named(settings, t('mcp.add')).click();
    await check(page, 'form-mcp');
    await section(t('settings.rules'));
    await named(settings, t('approvals.addRule')).click();
    await check(page, 'form-rule');
    await section(t('settings.dataPage'));
    await expect(settings.getByRole('row', { name: new RegExp(`^${t('data.total')}.*\\d`) })).toBeVisible();
    await named(settings, t('data.wipeBegin')).click();
    await check(page, 'form-wipe');
    await settings.getByRole('searchbox').fill(t('settings.theme'));
    await check(page, 'settings-search');
  });
}
