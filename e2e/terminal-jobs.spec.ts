import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startAnthropic } from './providers/anthropic';
import type { Script } from './providers/script';
import { expect, type RunningApp, test } from './support/app';
import { processTree } from './support/processes';
import { see } from './support/see';
import { allow, cards, chooseModel, idle, messages, openTerminal, say, skipFirstRun } from './support/window';

test.skip(process.platform !== 'linux', 'reads /proc');

// Unique to this run: the tests search for them among all processes of the machine.
const SERVING = `sleep 4331.${process.pid}`;
const CUT_OFF = `sleep 4332.${process.pid}`;

/** Starts the requested job, and repeats what it was told about its jobs. */
const script: Script = ({ lastUserText, lastToolResults }) => {
  const [result] = lastToolResults;
  if (result) return { text: result.content };
  if (lastUserText === 'list') return { calls: [{ name: 'list_jobs', args: {} }] };
  return { calls: [{ name: 'execute', args: { command: lastUserText, background: true } }] };
};

/** Processes of the system with exactly these words. */
const running = (words: string) =>
  processTree(1).filter((process) => process.words.join(' ').trim() === words);

const dock = (page: Page) => page.getByRole('region', { name: 'Terminal', exact: true }).first();
const command = (page: Page, text: string) => dock(page).getByRole('option').filter({ hasText: text });

async function begin(page: Page, text: string): Promise<void> {
  await say(page, text);
  await expect(cards(page)).toHaveCount(1);
  await allow(page);
  // In the terminal, a running command has a button.
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await expect(conversation.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  await expect(conversation.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
}

test('background jobs are listed, viewed and stopped, exit on their own, and do not outlive the app', async ({
  launchApp,
}) => {
  test.setTimeout(90_000);
  const server = await startAnthropic(script);
  const start = (options: { dataDir?: string } = {}): Promise<RunningApp> =>
    launchApp({ ...options, env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url } });
  try {
    const first = await start();
    const { page } = first;
    await skipFirstRun(page);
    await chooseModel(page, 'Anthropic', 'claude-test');
    await begin(page, `echo serving now > served.txt; cat served.txt; ${SERVING}`);
    await expect(messages(page)).toContainText('Started as job');
    const jobs = dock(page).getByRole('button', { name: /in the background$/ });
    await expect(jobs).toHaveText('1 in the background');
    await expect(command(page, SERVING)).toContainText('Running');

    // A job that exits on its own leaves the list, and its record says how it exited.
    await begin(page, 'echo short > short.txt; until [ -e go ]; do sleep 0.05; done; exit 3');
    await expect(jobs).toHaveText('2 in the background');
    writeFileSync(join(first.dataDir, 'sample-project', 'go'), '');
    await expect(jobs).toHaveText('1 in the background');
    await expect(command(page, 'until')).toContainText(/exit 3background/);
    // The conversation says so, too: the call ended when the job started.
    await expect(messages(page).locator('[data-call]').filter({ hasText: 'until' })).toContainText('exit 3');

    // The person lists, views and stops it.
    await jobs.click();
    const list = page.getByRole('dialog', { name: 'Running in the background' });
    await expect(list.getByRole('listitem')).toHaveCount(1);
    const time = list.getByRole('listitem').getByText(/^· [\d.]+ s$/);
    expect((await time.boundingBox())?.height).toBeLessThan(24);
    await see(page, 'jobs');
    await list.getByRole('button', { name: /^Show / }).click();
    await expect(list).toHaveCount(0);
    await expect(dock(page).locator('.xterm-rows')).toContainText('serving now');
    await see(page, 'job');
    expect(running(SERVING)).toHaveLength(1);
    await jobs.click();
    await list.getByRole('button', { name: /^Stop / }).click();
    await expect(command(page, SERVING)).toContainText('Stopped');
    await expect(jobs).toHaveCount(0);
    expect(running(SERVING)).toEqual([]);
    const isWhole = await command(page, SERVING)
      .getByText(/^· [\d.]+ s$/)
      .evaluate((time) => {
        const row = time.closest('[role="option"]')?.getBoundingClientRect();
        return row !== undefined && time.getBoundingClientRect().right < row.right;
      });
    expect(isWhole).toBe(true);
    await see(page, 'stopped');

    // A job that ran when the app died is killed by the next start, and its record and the agent both report that.
    await begin(page, `echo third > third.txt; ${CUT_OFF}`);
    await expect.poll(() => running(CUT_OFF).length).toBe(1);
    await first.kill9();
    const { page: later } = await start({ dataDir: first.dataDir });
    await expect.poll(() => running(CUT_OFF)).toEqual([]);
    await openTerminal(later);
    await expect(command(later, CUT_OFF)).toContainText('Interrupted');
    await expect(dock(later).getByRole('button', { name: /in the background$/ })).toHaveCount(0);
    await say(later, 'list');
    await idle(later);
    const answer = messages(later).getByRole('article', { name: 'The agent' }).last();
    await expect(answer).toContainText(/stopped when the app closed\s+echo third/);
    await expect(answer).toContainText(/exited with code 3\s+echo short/);
    await expect(answer).toContainText(/stopped\s+echo serving/);
    await see(later, 'later');
  } finally {
    await server.close();
  }
});
