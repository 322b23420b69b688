import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, giveToApp, makeFolder, test } from './support/app';
import { violations } from './support/axe';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { see } from './support/see';
import { addFolder, allow, cards, composer, idle, messages, say, skipFirstRun } from './support/window';

const HOOKS = {
  hooks: [
    {
      name: 'format',
      event: 'after_tool',
      tools: ['edit_file', 'write_file'],
      paths: ['src/**/*.js'],
      command: 'node scripts/format.mjs',
    },
    {
      name: 'no deploys',
      event: 'before_tool',
      tools: ['execute'],
      commands: ['npm publish*'],
      command: 'node scripts/deny.mjs',
    },
  ],
};
/** Ends each line with a semicolon. */
const FORMAT = `import { readFileSync, writeFileSync } from 'node:fs';
const file = process.env.DEEPDESK_FILE;
writeFileSync(file, readFileSync(file, 'utf8').replace(/([^;\\n])\\n/g, '$1;\\n'));
console.log(JSON.stringify({ context: 'Formatted with semicolons.' }));
`;
const DENY = `console.log(JSON.stringify({ decision: 'deny', reason: 'Releases are made by the build server.' }));
`;

test('hooks of a folder run after consent: a formatter after an edit, and a command that is denied', async ({
  sharedApp,
}) => {
  const folder = makeFolder('hooked');
  for (const name of ['src', 'scripts', '.deepdesk']) mkdirSync(join(folder, name));
  const source = join(folder, 'src', 'a.js');
  writeFileSync(source, 'let a = 1;\n');
  writeFileSync(join(folder, 'scripts', 'format.mjs'), FORMAT);
  writeFileSync(join(folder, 'scripts', 'deny.mjs'), DENY);
  writeFileSync(join(folder, '.deepdesk', 'hooks.json'), JSON.stringify(HOOKS, null, 2));
  giveToApp(folder);
  const { app, page, shot } = sharedApp;
  await skipFirstRun(page);
  await addFolder({ app, page }, folder);
  await expect(composer(page)).toBeVisible();

  // Nothing of the folder runs before it is allowed.
  await say(page, 'list files');
  await idle(page);
  await expect(messages(page)).toContainText("This folder has hooks that you haven't allowed");

  await messages(page).getByRole('button', { name: 'Review hooks…' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings', exact: true });
  await expect(settings.getByRole('tab', { name: 'Hooks', selected: true })).toBeVisible();
  await expect(settings).toContainText('These hooks need your permission.');
  await expect(settings).toContainText('"command": "node scripts/format.mjs"');
  await expect(settings).toContainText('scripts/deny.mjs, scripts/format.mjs');
  await see(page, 'hooks-consent');
  await shot('hooks');
  expect(await violations(page, '[role="dialog"]')).toEqual([]);
  await answerConfirmations(app, false);
  const before = (await askedOutside(app)).length;
  await settings.getByRole('button', { name: 'Allow…' }).click();
  await expect.poll(async () => (await askedOutside(app)).length).toBe(before + 1);
  await expect(settings).toContainText('These hooks need your permission.');
  await answerConfirmations(app, true);
  await settings.getByRole('button', { name: 'Allow…' }).click();
  await expect(settings.getByRole('checkbox', { name: 'Run the hooks of this project' })).toBeChecked();
  await page.keyboard.press('Escape');

  await say(page, 'replace "let a = 1;" with "const a = 1" in src/a.js');
  await expect(cards(page).first()).toContainText('const a = 1');
  await allow(page);
  await idle(page);
  expect(readFileSync(source, 'utf8')).toBe('const a = 1;\n');

  // Denied without asking, although a command like this would ask.
  await say(page, 'run npm publish --dry-run');
  await idle(page);
  await expect(cards(page)).toHaveCount(0);
  await expect(messages(page)).toContainText('Releases are made by the build server.');
  await see(page, 'hooks-denied');

  await page.keyboard.press('Control+,');
  await settings.getByRole('tab', { name: 'Hooks' }).click();
  const item = (name: string) => settings.getByRole('listitem', { name });
  await expect(item('format')).toContainText('Ran at');
  await expect(item('no deploys')).toContainText('Denied a call at');
  await see(page, 'hooks-results');
  expect(await violations(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press('Escape');

  // What the formatter did belongs to the edit.
  const receipt = messages(page).getByRole('button', { name: 'Undo the file changes of this turn' });
  await receipt.first().click();
  await expect.poll(() => readFileSync(source, 'utf8')).toBe('let a = 1;\n');

  // A changed file asks again.
  writeFileSync(join(folder, '.deepdesk', 'hooks.json'), JSON.stringify(HOOKS));
  await page.keyboard.press('Control+,');
  await settings.getByRole('tab', { name: 'Hooks' }).click();
  await expect(settings).toContainText('These hooks need your permission.');
});
