import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { expect, test } from './support/app';
import { see } from './support/see';
import { allow, idle, messages, say, skipFirstRun } from './support/window';

/** Command lines of processes that work in a folder. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!realpathSync(`/proc/${pid}/cwd`).startsWith(folder)) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        // It has exited.
        return [];
      }
    });
}

test('a command that asks for input is answered in its terminal', async ({ sharedApp }) => {
  const { page, shot } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'run read -p "Your name: " name; echo "Hello, $name"');
  await allow(page);
  // The terminal opens automatically when the agent's first command starts.
  const screen = page.getByRole('region', { name: 'Terminal', exact: true });
  await expect(page.getByText('The agent is running this. You can type')).toBeVisible();
  // The line of the call, the thread list and the inbox say that it waits.
  await expect(messages(page).getByText('Waiting for your answer in the terminal')).toBeVisible();
  const threads = page.getByRole('region', { name: 'Threads', exact: true });
  await expect(threads.getByText('A command is waiting for your answer in the terminal')).toBeAttached();
  await see(page, 'awaits-input');
  await page.getByRole('button', { name: 'A command is waiting for your answer', exact: true }).click();
  await see(page, 'awaits-input-inbox');
  await page.getByRole('button', { name: 'Show terminal' }).click();
  await screen.locator('.xterm').click();
  await page.keyboard.type('Ada');
  await shot('terminal-input');
  await page.keyboard.press('Enter');
  await idle(page);
  await expect(messages(page)).toContainText('exit code 0');
  await page.getByRole('button', { name: /^Ran/ }).first().click();
  await expect(messages(page)).toContainText('Hello, Ada');
  await expect(
    page.getByRole('button', { name: 'A command is waiting for your answer', exact: true }),
  ).toHaveCount(0);
});

test('stop kills a command and everything it started', async ({ sharedApp }) => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const { page, folder, shot } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'run sleep 300 & setsid sleep 301 & sleep 302');
  await allow(page);
  await expect.poll(() => processesIn(folder).length).toBeGreaterThanOrEqual(3);
  await page.getByRole('button', { name: 'Stop', exact: true }).first().click();
  await idle(page);
  expect(processesIn(folder)).toEqual([]);
  await expect(messages(page)).toContainText('canceled');
  await shot('stopped-command');
});

test('the user opens a terminal', async ({ sharedApp }) => {
  const { page, folder } = sharedApp;
  await skipFirstRun(page);
  await page.getByRole('button', { name: 'Show or hide the terminal' }).click();
  await page.getByRole('button', { name: 'New terminal' }).first().click();
  await expect(page.locator('.xterm')).toBeVisible();
  await page.locator('.xterm').click();
  await page.keyboard.type('echo mine > mine.txt\n');
  await expect.poll(() => readdirSync(folder).includes('mine.txt')).toBe(true);
});
