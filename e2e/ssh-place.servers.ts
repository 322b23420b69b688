import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSshServer } from '../src-main/harness/backends/testing/ssh-server';
import { startAnthropic } from './providers/anthropic';
import { inTurn, type Step } from './providers/script';
import { expect, makeFolder, test } from './support/app';
import { answerConfirmations } from './support/confirmations';
import { agent } from './support/headless';
import { personsSsh } from './support/persons-ssh';
import { see } from './support/see';
import { addFolder, allow, cards, chooseModel, idle, messages, say, skipFirstRun } from './support/window';

const place = '/server/';
const command = (text: string): Step => ({ calls: [{ name: 'execute', args: { command: text, place } }] });
const steps: [Step, ...Step[]] = [
  { calls: [{ name: 'read_file', args: { file_path: '/server/start.md' } }] },
  {
    calls: [
      {
        name: 'edit_file',
        args: { file_path: '/server/start.md', old_string: 'Begin', new_string: 'Start' },
      },
    ],
  },
  command('pwd; cat start.md; printf "from there"'),
  command('tail -n 1 start.md; printf "after the cut"'),
  { text: 'All done.' },
];

test('a folder on another computer is read, changed, undone and has commands, even after a cut', async ({
  launchApp,
}) => {
  const server = await startSshServer();
  if (typeof server === 'string') return test.skip(true, `Not here, because ${server}.`);
  const model = await startAnthropic(inTurn(steps));
  try {
    const folder = join(server.home, 'notes');
    mkdirSync(folder);
    const file = join(folder, 'start.md');
    writeFileSync(file, 'Begin here.\n');
    const env = {
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: model.url,
      PATH: `${personsSsh(server)}:/usr/local/bin:/usr/bin:/bin`,
    };
    const { app, page, shot, dataDir, close } = await launchApp({ env });
    const project = makeFolder('project');
    await skipFirstRun(page);
    await addFolder({ app, page }, project);
    await page.getByRole('button', { name: 'Add a place…' }).click();
    const dialog = page.getByRole('dialog').filter({ has: page.getByRole('tablist') });
    await dialog.getByRole('button', { name: 'Add place…' }).click();
    await dialog.getByLabel('Kind').selectOption('ssh');
    await dialog.getByLabel('Host').fill(server.host);
    await dialog.getByLabel('Remote folder').fill(folder);
    await dialog.getByLabel('Path', { exact: true }).fill('server');
    await answerConfirmations(app, true);
    await dialog.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(dialog.getByText(server.fingerprint)).toBeVisible();
    await see(page, 'ssh-key');
    await dialog.getByRole('button', { name: 'Trust this key' }).click();
    await expect(dialog.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Add place', exact: true }).click();
    const item = dialog.getByRole('listitem', { name: place });
    await expect(item).toContainText('The agent can run commands there. Deepdesk asks before each one.');
    await expect(item.getByRole('status')).toHaveText('Connected');
    await see(page, 'ssh-place');
    await page.keyboard.press('Escape');
    await chooseModel(page, 'Anthropic', 'claude-test');

    await say(page, 'go');
    await expect(cards(page)).toContainText('It changes a file in /server/.');
    await allow(page);
    const card = cards(page).filter({ hasText: 'from there' });
    await expect(card).toContainText(`It runs on ${server.host}`);
    await expect(card).toContainText("You can't undo what it changes there.");
    expect(readFileSync(file, 'utf8')).toBe('Start here.\n');
    await see(page, 'ssh-command');
    await shot('ssh-command');
    await allow(page, card);
    await expect(cards(page)).toContainText('after the cut');
    server.drop();
    await allow(page);
    await idle(page);
    await expect(messages(page)).toContainText('All done.');
    const told = JSON.stringify(model.requests.map(({ body }) => body));
    expect(told.includes('Start here.\\nfrom there\\n[Command succeeded')).toBe(true);
    expect(told.includes('Start here.\\nafter the cut\\n[Command succeeded')).toBe(true);
    await see(page, 'ssh-after');

    await page.getByRole('tab', { name: 'Changes' }).click();
    const changes = page.getByRole('tabpanel', { name: 'Changes' });
    await expect(changes).toContainText('start.md');
    await changes.getByRole('button', { name: 'Undo all' }).click();
    await expect.poll(() => readFileSync(file, 'utf8')).toBe('Begin here.\n');

    // The headless command has the same place, and asks in the same cases.
    await close();
    const headless = (...options: string[]) =>
      agent(
        [
          '--folder',
          project,
          '--data-dir',
          dataDir,
          '--model',
          'anthropic:claude-test',
          '--json',
          ...options,
          'go',
        ],
        { env },
      );
    const waiting = await headless();
    expect([waiting.code, readFileSync(file, 'utf8')]).toEqual([4, 'Begin here.\n']);
    expect(waiting.out).toContain('Begin here.');
    const ran = await headless('--approve', 'all');
    expect([ran.code, readFileSync(file, 'utf8')]).toEqual([0, 'Start here.\n']);
    expect(ran.out).toContain('Start here.\\nfrom there');
  } finally {
    await model.close();
    await server.stop();
  }
});
