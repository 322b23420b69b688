import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSshServer } from '../src-main/harness/backends/testing/ssh-server';
import { startAnthropic } from './providers/anthropic';
import { inTurn, type Step } from './providers/script';
import { expect, makeFolder, test } from './support/app';
import { answerConfirmations } from './support/confirmations';
import { agent } from './support/headless';
import { ALIAS, personsSsh } from './support/persons-ssh';
import { see } from './support/see';
import { addFolder, allow, cards, chooseModel, idle, messages, say, skipFirstRun } from './support/window';

const call = (name: string, args: NonNullable<Step['calls']>[number]['args']): Step => ({
  calls: [{ name, args }],
});

test('a folder on another computer is a project: first key, files, commands, undo, a cut, and offline', async ({
  launchApp,
}) => {
  const server = await startSshServer();
  if (typeof server === 'string') return test.skip(true, `Not here, because ${server}.`);
  const folder = join(server.home, 'notes');
  const file = join(folder, 'start.md');
  const work = inTurn([
    call('read_file', { file_path: file }),
    call('edit_file', { file_path: file, old_string: 'Begin', new_string: 'Start' }),
    call('execute', { command: 'pwd; cat start.md; printf "from there"' }),
    call('execute', { command: 'tail -n 1 start.md; printf "after the cut"' }),
    { text: 'All done.' },
  ]);
  const model = await startAnthropic((request) =>
    request.lastUserText.includes('and now?') ? { text: 'Here again.' } : work(request),
  );
  try {
    mkdirSync(join(folder, 'guides'), { recursive: true });
    writeFileSync(file, 'Begin here.\n');
    writeFileSync(join(folder, 'guides/first.md'), 'The first guide.\n');
    writeFileSync(join(folder, 'AGENTS.md'), 'Greet with "moin".\n');
    const env = {
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: model.url,
      PATH: `${personsSsh(server)}:/usr/local/bin:/usr/bin:/bin`,
    };
    const { app, page, shot, dataDir, close } = await launchApp({ env });
    await skipFirstRun(page);
    await addFolder({ app, page }, makeFolder('here'));

    // The first connection shows the key of the computer.
    await page.getByRole('button', { name: 'Folder on another computer or in a container…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Folder on another computer or in a container' });
    await dialog.getByLabel('Host').fill(ALIAS);
    await dialog.getByLabel('Remote folder').fill('~/notes');
    await answerConfirmations(app, true);
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(dialog.getByText(server.fingerprint)).toBeVisible();
    await see(page, 'project-key');
    await dialog.getByRole('button', { name: 'Trust this key' }).click();
    await expect(dialog).toBeHidden();
    const row = page.getByRole('navigation').getByRole('button', { name: /^notes on / });
    await expect(row).toBeVisible();

    // The tree, a viewer and quick open show what is there.
    const files = page.getByRole('tabpanel', { name: 'Files' });
    await expect(files.getByRole('treeitem', { name: 'start.md' })).toBeVisible();

    // The person's own changes in the tree, with undo.
    const item = (name: string) => files.getByRole('treeitem', { name, exact: true });
    await files.getByRole('treeitem', { name: 'start.md' }).click();
    await page.getByRole('button', { name: 'New file' }).first().click();
    await page.getByRole('textbox', { name: 'New file name' }).fill("it's new.md");
    await page.keyboard.press('Enter');
    await expect(item("it's new.md")).toBeVisible();
    await expect.poll(() => existsSync(join(folder, "it's new.md"))).toBe(true);
    await item("it's new.md").click({ button: 'right' });
    await page.getByRole('menuitem', { name: /Move to trash/ }).click();
    await expect(item("it's new.md")).toBeHidden();
    expect(existsSync(join(folder, "it's new.md"))).toBe(false);
    await see(page, 'project-deleted');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(item("it's new.md")).toBeVisible();
    await expect.poll(() => existsSync(join(folder, "it's new.md"))).toBe(true);
    await files.getByRole('treeitem', { name: 'guides' }).click();
    await files.getByRole('treeitem', { name: 'first.md' }).click();
    await expect(page.getByText('The first guide.')).toBeVisible();
    await see(page, 'project-files');
    await page.keyboard.press('Control+p');
    await page.getByRole('combobox').fill('start');
    await expect(page.getByRole('option', { name: /start\.md/ }).first()).toBeVisible();
    await page.keyboard.press('Escape');

    // A turn there: what it reads and changes, and what it runs, is on the other computer.
    await chooseModel(page, 'Anthropic', 'claude-test');
    await say(page, 'go');
    await expect(cards(page)).toContainText('start.md');
    await allow(page);
    const card = cards(page).filter({ hasText: 'from there' });
    await expect(card).toContainText(`It runs on ${ALIAS}`);
    expect(readFileSync(file, 'utf8')).toBe('Start here.\n');
    await see(page, 'project-command');
    await shot('ssh-project');
    await allow(page, card);
    await expect(cards(page)).toContainText('after the cut');
    server.drop();
    await allow(page);
    await idle(page);
    await expect(messages(page)).toContainText('All done.');
    const told = JSON.stringify(model.requests.map(({ body }) => body));
    expect(told).toContain(`${folder}\\nStart here.\\nfrom there\\n[Command succeeded`);
    expect(told).toContain('Start here.\\nafter the cut\\n[Command succeeded');
    expect(told).toContain('moin');
    await see(page, 'project-after');

    await page.getByRole('tab', { name: 'Changes' }).click();
    const changes = page.getByRole('tabpanel', { name: 'Changes' });
    await expect(changes).toContainText('start.md');
    await changes.getByRole('button', { name: 'Undo all' }).click();
    await expect.poll(() => readFileSync(file, 'utf8')).toBe('Begin here.\n');

    // The person's own terminal is there too. It comes after a while, in the place of the agent's.
    await page.getByRole('button', { name: 'New terminal' }).first().click();
    await expect(page.getByRole('tab', { name: ALIAS })).toHaveAttribute('aria-selected', 'true');
    const screen = page.locator('.xterm');
    await screen.click();
    await page.keyboard.type('clear; echo "I am in $PWD"\n');
    await expect(screen.locator('.xterm-rows, .xterm-accessibility-tree').first()).toContainText(
      `I am in ${folder}`,
    );
    await see(page, 'project-terminal');

    // Offline: the thread waits and says so, until the computer is there again.
    await server.goAway();
    await say(page, 'and now?');
    const offline = page.getByRole('alert').filter({ hasText: 'Connection settings' });
    await expect(offline).toBeVisible();
    await expect(row).toContainText('Offline');
    await see(page, 'project-offline');
    await server.comeBack();
    await offline.getByRole('button', { name: 'Try again' }).click();
    await expect(offline).toBeHidden();
    await page.getByRole('button', { name: 'Continue' }).click();
    await idle(page);
    await expect(messages(page)).toContainText('Here again.');

    // The headless command has the same project, by its name.
    await close();
    const named = (name: string) =>
      agent(['--project', name, '--data-dir', dataDir, '--model', 'anthropic:claude-test', 'and now?'], {
        env,
      });
    const ran = await named('notes');
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('Here again.')]);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('moin');
    expect(await named('nowhere')).toMatchObject({ code: 2, err: expect.stringContaining('nowhere') });
  } finally {
    await model.close();
    await server.stop();
  }
});
