import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, makeFolder, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { see } from './support/see';
import { addFolder, idle, messages, say, skipFirstRun } from './support/window';

test('a rule about paths denies what the agent reads, says so, and is loosened only in a dialog', async ({
  sharedApp,
}) => {
  const { app, page } = sharedApp;
  const project = makeFolder('project');
  mkdirSync(join(project, 'secrets'));
  writeFileSync(join(project, 'secrets/plan.md'), 'The hidden plan.\n');
  await skipFirstRun(page);
  await addFolder({ app, page }, project);

  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const dialog = page.getByRole('dialog').filter({ has: page.getByRole('tablist') });
  await dialog.getByRole('tab', { name: 'Places' }).click();
  const rules = dialog.getByRole('region', { name: 'Project paths' });
  await expect(rules.getByRole('button', { name: 'Save rules' })).toBeDisabled();
  await rules.getByRole('button', { name: 'Add rule' }).click();
  await rules.getByLabel('Pattern of rule 1').fill('secrets/**');
  await rules.getByRole('button', { name: 'Add rule' }).click();
  await rules.getByLabel('Pattern of rule 2').fill('[a');
  await rules.getByRole('button', { name: 'Save rules' }).click();
  await expect(rules.getByRole('alert')).toContainText("The pattern “[a” isn't valid.");
  await rules.getByLabel('Pattern of rule 2').fill('drafts/**');
  await expect(rules.getByRole('alert')).toHaveCount(0);
  await rules.getByLabel('Effect of rule 2').selectOption('Ask');
  await see(page, 'path-rules');
  await rules.getByRole('button', { name: 'Save rules' }).click();
  await expect(rules.getByRole('alert')).toHaveCount(0);
  await expect(rules.getByRole('button', { name: 'Save rules' })).toBeDisabled();
  await page.keyboard.press('Escape');

  await say(page, `read ${project}/secrets/plan.md`);
  await idle(page);
  await expect(messages(page)).toContainText('Denied by your rule: secrets/**');
  await expect(messages(page)).not.toContainText('I read 1 line of');
  await see(page, 'path-rules-denied');

  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await dialog.getByRole('tab', { name: 'Places' }).click();
  await expect(rules.getByLabel('Pattern of rule 2')).toHaveValue('drafts/**');
  await rules.getByRole('button', { name: 'Activity' }).click();
  const line = rules.getByRole('list', { name: 'Agent calls' }).getByRole('listitem');
  await expect(line).toContainText(['secrets/plan.md']);
  await expect(line).toContainText(['Denied']);
  await see(page, 'path-rules-activity');
  await rules.getByLabel('Result').selectOption('Failed');
  await expect(rules).toContainText('No call matches.');
  await rules.getByRole('button', { name: 'Remove rule 1' }).click();
  await answerConfirmations(app, true);
  await rules.getByRole('button', { name: 'Save rules' }).click();
  await expect(rules.getByLabel('Pattern of rule 2')).toHaveCount(0);
  await expect(rules.getByRole('button', { name: 'Save rules' })).toBeDisabled();
  const question = (await askedOutside(app)).at(-1);
  expect(question?.message).toContain('path rules');
  expect(question?.detail).toContain('drafts/**');
  await page.keyboard.press('Escape');

  await say(page, `read ${project}/secrets/plan.md`);
  await idle(page);
  await expect(messages(page)).toContainText('I read 1 line of');
});
