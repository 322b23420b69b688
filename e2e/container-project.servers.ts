import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startContainer } from '../src-main/harness/backends/testing/container';
import { startAnthropic } from './providers/anthropic';
import { inTurn, type Step } from './providers/script';
import { expect as expectHere, makeFolder, test } from './support/app';
import { answerConfirmations } from './support/confirmations';
import { see } from './support/see';
import { addFolder, allow, cards, chooseModel, idle, messages, say, skipFirstRun } from './support/window';

const FILE = '/work/notes/start.md';
const call = (name: string, args: NonNullable<Step['calls']>[number]['args']): Step => ({
  calls: [{ name, args }],
});

/** Each file call of the agent starts several programs of the engine, which takes seconds on a busy machine. */
const expect = expectHere.configure({ timeout: 60_000 });

test('a folder in a container is a project: files, a live command, a stop, undo, a terminal, and a pause', async ({
  launchApp,
}) => {
  const box = startContainer();
  if (typeof box === 'string') return test.skip(true, `Not here, because ${box}.`);
  const work = inTurn([
    call('read_file', { file_path: FILE }),
    call('edit_file', { file_path: FILE, old_string: 'Begin', new_string: 'Start' }),
    call('execute', { command: 'pwd; cat start.md; printf "in the box"' }),
    call('execute', { command: 'echo waiting; sleep 4321' }),
    { text: 'All done.' },
  ]);
  const model = await startAnthropic((request) =>
    request.lastUserText.includes('and now?') ? { text: 'Here again.' } : work(request),
  );
  try {
    const folder = join(box.folder, 'notes');
    mkdirSync(join(folder, 'guides'), { recursive: true });
    const file = join(folder, 'start.md');
    writeFileSync(file, 'Begin here.\n');
    writeFileSync(join(folder, 'guides/first.md'), 'The first guide.\n');
    const env = {
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: model.url,
      CONTAINER_HOST: await box.serve(),
    };
    const { app, page, shot } = await launchApp({ env });
    await skipFirstRun(page);
    await addFolder({ app, page }, makeFolder('here'));
    await page.getByRole('button', { name: 'Folder on another computer or in a container…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Folder on another computer or in a container' });
    await dialog.getByLabel('Kind').selectOption('container');
    await dialog.getByLabel('Program').selectOption(box.engine);
    await dialog.getByLabel('Remote folder').fill('/work/notes');
    await answerConfirmations(app, true);

    // A wrong name says what to do, and nothing is lost.
    await dialog.getByLabel('Container', { exact: true }).fill('no-such-box');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(dialog.getByRole('alert')).toContainText('no-such-box');
    await see(page, 'container-wrong-name');
    await dialog.getByLabel('Container', { exact: true }).fill(box.container);
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(dialog).toBeHidden();
    const row = page.getByRole('navigation').getByRole('button', { name: /^notes on / });
    await expect(row).toBeVisible();

    const files = page.getByRole('tabpanel', { name: 'Files' });
    await files.getByRole('treeitem', { name: 'guides' }).click();
    await files.getByRole('treeitem', { name: 'first.md' }).click();
    await expect(page.getByText('The first guide.')).toBeVisible();
    await see(page, 'container-files');

    await chooseModel(page, 'Anthropic', 'claude-test');
    await say(page, 'go');
    await expect(cards(page)).toContainText('start.md');
    await allow(page);
    const card = cards(page).filter({ hasText: 'in the box' });
    await expect(card).toContainText(`It runs on ${box.container}`);
    expect(readFileSync(file, 'utf8')).toBe('Start here.\n');
    await see(page, 'container-command');
    await shot('container-project');
    await allow(page, card);

    // A command that still runs is stopped there too.
    await expect(cards(page)).toContainText('sleep 4321');
    await allow(page);
    const sleeping = () => box.processes().filter((one) => one === 'sleep 4321').length;
    await expect.poll(sleeping).toBe(1);
    await page.getByTestId('centre').getByRole('button', { name: 'Stop', exact: true }).click();
    await expect.poll(sleeping).toBe(0);
    await idle(page);
    const told = JSON.stringify(model.requests.map(({ body }) => body));
    expect(told).toContain('/work/notes\\nStart here.\\nin the box\\n[Command succeeded');
    await see(page, 'container-stopped');

    await page.getByRole('tab', { name: 'Changes' }).click();
    const changes = page.getByRole('tabpanel', { name: 'Changes' });
    await changes.getByRole('button', { name: 'Undo all' }).click();
    await expect.poll(() => readFileSync(file, 'utf8')).toBe('Begin here.\n');

    // The person's own shell is there too, and ends there with its terminal.
    const dock = page.getByTestId('terminal');
    await dock.getByRole('button', { name: 'New terminal' }).click();
    await expect(dock.getByRole('tab', { name: box.container })).toHaveAttribute('aria-selected', 'true');
    const screen = dock.locator('.xterm');
    await screen.click();
    await page.keyboard.type('clear; echo "I am in $PWD"; sleep 4322\n');
    await expect(screen.locator('.xterm-rows, .xterm-accessibility-tree').first()).toContainText(
      'I am in /work/notes',
    );
    const own = () => box.processes().filter((one) => one === 'sleep 4322').length;
    await expect.poll(own).toBe(1);
    await see(page, 'container-terminal');
    await dock.getByRole('tab', { name: box.container }).click({ button: 'middle' });
    await expect(page.getByText('sleep is still running and will be stopped.')).toBeVisible();
    await page.getByRole('button', { name: 'Stop and close' }).click();
    await expect.poll(own).toBe(0);

    // A paused container is offline, and the thread continues when it runs again.
    box.pause();
    await say(page, 'and now?');
    const offline = page.getByRole('alert').filter({ hasText: 'Connection settings' });
    await expect(offline).toBeVisible();
    await expect(row).toContainText('Offline');
    await see(page, 'container-paused');
    box.goOn();
    await offline.getByRole('button', { name: 'Try again' }).click();
    await expect(offline).toBeHidden();
    await page.getByRole('button', { name: 'Continue' }).click();
    await idle(page);
    await expect(messages(page)).toContainText('Here again.');
  } finally {
    await model.close();
    box.stop();
  }
});
