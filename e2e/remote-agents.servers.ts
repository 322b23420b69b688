import type { Page } from '@playwright/test';
import { startAgentServer } from '../src-main/host/agents/testing/agent-server';
import { startAnthropic } from './providers/anthropic';
import type { Script } from './providers/script';
import { expect, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { see } from './support/see';
import { allow, cards, chooseModel, idle, say, skipFirstRun } from './support/window';

const KEY = 'key-of-the-journey';

/** Gives one task to the remote agent, and then says that it did. */
const script: Script = ({ lastToolResults }) =>
  lastToolResults.length > 0
    ? { text: 'The task is on its way.' }
    : {
        calls: [
          {
            name: 'start_async_task',
            args: { agentName: 'researcher', description: 'Compare three parsers and report.' },
          },
        ],
      };

const tasks = (page: Page) => page.getByRole('region', { name: 'Remote agents' });

async function choose(page: Page, item: string): Promise<void> {
  await tasks(page).getByRole('button', { name: 'More actions for the task of researcher' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('a remote agent is added in the settings, gets a task, is steered, reports, and is there after a restart', async ({
  launchApp,
}) => {
  const server = await startAgentServer({ key: KEY, graph: 'research' });
  const model = await startAnthropic(script);
  const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url };
  try {
    const first = await launchApp({ env });
    const { app, page } = first;
    await skipFirstRun(page);
    await chooseModel(page, 'Anthropic', 'claude-test');
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('tab', { name: 'Remote agents' }).click();
    await see(page, 'empty');
    await settings.getByRole('button', { name: 'Add remote agent…' }).click();
    const form = settings.getByRole('form', { name: 'New remote agent' });
    await form.getByRole('button', { name: 'Add agent' }).click();
    await expect(form.getByRole('alert')).toContainText('Enter a name');
    await form.getByLabel('Name', { exact: true }).fill('researcher');
    await form.getByLabel('When to use it').fill('Researches a topic and reports with sources.');
    await form.getByLabel('Server address').fill(server.url.replace('http://', ''));
    await form.getByLabel('Graph or assistant').fill('other');
    await form.getByLabel('Key', { exact: true }).fill(KEY);
    await answerConfirmations(app, true);
    await form.getByRole('button', { name: 'Test' }).click();
    await expect(form.getByRole('alert')).toContainText('has no agent other');
    await see(page, 'wrong-graph');
    await form.getByLabel('Graph or assistant').fill('research');
    await form.getByRole('button', { name: 'Test' }).click();
    await expect(form.getByRole('status')).toHaveText('Found on the server.');
    await see(page, 'form');
    await form.getByRole('button', { name: 'Add agent' }).click();
    const item = settings.getByRole('listitem', { name: 'researcher' });
    await expect(item).toContainText('All projects');
    const asked = await askedOutside(app);
    expect(asked.at(-1)?.detail).toContain(server.url);
    expect(await page.content()).not.toContain(KEY);
    await see(page, 'added');
    await page.keyboard.press('Escape');

    await say(page, 'compare parsers');
    await expect(cards(page)).toContainText('Give a task to the remote agent researcher');
    await expect(cards(page)).toContainText('Compare three parsers and report.');
    await see(page, 'card');
    await allow(page);
    await idle(page);
    await page.getByRole('tab', { name: 'Plan' }).click();
    await expect(tasks(page).getByRole('status')).toHaveText('Working');
    await see(page, 'working');
    await choose(page, 'New instructions…');
    const question = page.getByRole('dialog', { name: 'New instructions for researcher' });
    await question.getByRole('textbox').fill('Only two parsers.');
    await see(page, 'steering');
    await question.getByRole('button', { name: 'Send' }).click();
    await expect(tasks(page)).toContainText('Only two parsers.');
    expect(server.runs.get('task-1')?.map(({ status }) => status)).toEqual(['interrupted', 'running']);
    server.finish('Parser A is faster. Parser B is smaller.');
    await choose(page, 'Check now');
    await expect(tasks(page).getByRole('status')).toHaveText('Done');
    await tasks(page).getByText('Report', { exact: true }).click();
    await expect(tasks(page)).toContainText('Parser A is faster.');
    await see(page, 'report-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await see(page, 'report-dark');
    await first.close();

    // Without a keychain, the key lasted until the app quit.
    const again = { ...env, DEEPDESK_AGENT_RESEARCHER: KEY };
    const { page: later } = await launchApp({ dataDir: first.dataDir, env: again });
    await later.getByRole('tab', { name: 'Plan' }).click();
    await expect(tasks(later)).toContainText('Only two parsers.');
    await expect(tasks(later).getByRole('status')).toHaveText('Done');
    await choose(later, 'New instructions…');
    await later.getByRole('textbox', { name: 'New instructions for researcher' }).fill('One more.');
    await later.getByRole('button', { name: 'Send', exact: true }).last().click();
    await expect(tasks(later).getByRole('status')).toHaveText('Working');
    await choose(later, 'Cancel task');
    await expect(tasks(later).getByRole('status')).toHaveText('Canceled');
    expect(server.runs.get('task-1')?.at(-1)?.status).toBe('interrupted');
  } finally {
    await model.close();
    await server.close();
  }
});
