import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { startAnthropic } from './providers/anthropic';
import {
  expect,
  giveToApp,
  killAfter,
  makeFolder,
  type RunningApp,
  type SharedApp,
  test,
} from './support/app';
import { violations } from './support/axe';
import { processTree } from './support/processes';
import { runsInLayers } from './support/sandbox';
import { allow, cards, chooseModel, idle, messages, say, skipFirstRun } from './support/window';

const WHY = 'commands cannot run in a throwaway layer on this machine, as the settings say';
const LINES = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
const LOOK = process.env.DEEPDESK_LOOK;

/** Writes files into the folder as the person's. */
function put(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  giveToApp(folder);
}

const read = (folder: string, path: string): string | null =>
  existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null;

async function prepare({ page, folder }: Pick<SharedApp, 'page' | 'folder'>, files: Record<string, string>) {
  await skipFirstRun(page);
  test.skip(!(await runsInLayers(page)), WHY);
  put(folder, files);
}

/** Takes pictures of a card in both themes and in a small window. */
async function look({ app, page }: Pick<SharedApp, 'app' | 'page'>, name: string): Promise<void> {
  if (LOOK === undefined) return;
  mkdirSync(LOOK, { recursive: true });
  const take = (as: string) => page.screenshot({ path: join(LOOK, `${as}.png`), animations: 'disabled' });
  await take(`${name}-light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await take(`${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await resize({ app, page }, 900, 600);
  await take(`${name}-900`);
  await resize({ app, page }, 1280, 800);
}

async function resize({ app, page }: Pick<SharedApp, 'app' | 'page'>, width: number, height: number) {
  const size: [number, number] = [width, height];
  await app.evaluate(
    ({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setContentSize(...to),
    size,
  );
  await expect.poll(() => page.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual(size);
}

/** Waits until a button of the card accepts a click, and clicks it. */
async function press(page: Page, name: string | RegExp, card: Locator = cards(page).first()): Promise<void> {
  const button = card.getByRole('button', { name });
  // A card that has just appeared takes no decision.
  await expect(card.locator('footer')).toHaveAttribute('aria-busy', 'false');
  await expect(async () => {
    for (const area of await card.getByRole('group', { name: 'What it does' }).all())
      await area.evaluate((it) => it.scrollTo(0, it.scrollHeight));
    await expect(button).not.toHaveAttribute('aria-disabled', 'true', { timeout: 500 });
  }).toPass({ timeout: 10_000 });
  await button.click();
  await page.mouse.move(0, 0);
}

test('a pipeline that only reads asks nobody, whatever its words say', async ({ sharedApp }) => {
  const { page, folder } = sharedApp;
  await prepare(sharedApp, {
    'count.mjs': "import { readdirSync } from 'node:fs'; console.log(readdirSync('.').length);",
  });
  await say(page, 'run node count.mjs | tr -d " " | sort | head -1');
  await idle(page);
  await expect(cards(page)).toHaveCount(0);
  await expect(messages(page)).toContainText('changed nothing');
  await messages(page).locator('[data-call]').getByRole('button').first().click();
  await expect(messages(page)).toContainText(String(readdirSync(folder).length));
});

test('a test run that writes a snapshot is kept in part, by file and by change', async ({ sharedApp }) => {
  const { page, folder } = sharedApp;
  await prepare(sharedApp, {
    'page.snap': LINES.join(''),
    'snap.mjs': `import { readFileSync, writeFileSync } from 'node:fs';
writeFileSync('page.snap', readFileSync('page.snap', 'utf8').replace('line 1\\n', 'first\\n').replace('line 18\\n', 'last\\n'));
writeFileSync('new.snap', 'new\\n');
writeFileSync('report.html', '<p>1 passed</p>\\n');
console.log('1 passed');`,
  });
  await say(page, 'run node snap.mjs');
  const card = cards(page).first();
  await expect(card.getByRole('heading', { name: 'Keep what the command did?' })).toBeVisible();
  await expect(card.getByRole('list', { name: 'Changed files' }).getByRole('listitem')).toHaveCount(3);
  await expect(card).toContainText('Nothing is in your folder yet.');
  expect([read(folder, 'page.snap'), read(folder, 'new.snap')]).toEqual([LINES.join(''), null]);
  await card.getByRole('button', { name: /^Changed ?page\.snap/ }).click();
  await expect(card).toContainText('last');
  // The card grew, and its buttons are still in view.
  await expect(card.locator('footer')).toBeInViewport({ ratio: 1 });
  expect(await violations(page, '[data-approval]')).toEqual([]);
  await sharedApp.shot('outcome');
  await look(sharedApp, 'outcome');
  await card
    .getByRole('checkbox', { name: /^Keep lines/ })
    .first()
    .uncheck();
  await card.getByRole('checkbox', { name: 'Keep report.html' }).uncheck();
  await look(sharedApp, 'outcome-part');
  await press(page, /^Keep 2 of 3/);
  await idle(page);
  expect(read(folder, 'page.snap')).toBe(LINES.join('').replace('line 18\n', 'last\n'));
  expect([read(folder, 'new.snap'), read(folder, 'report.html')]).toEqual(['new\n', null]);
  await expect(messages(page)).toContainText('kept in part');
});

test('a script that deletes the repository is shown as that, and discarding it leaves the repository', async ({
  sharedApp,
}) => {
  const { page, folder } = sharedApp;
  await prepare(sharedApp, { 'clean.sh': 'rm -rf .g*t\necho cleaned\n' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'safe.directory=*', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  giveToApp(folder);
  await say(page, 'run sh clean.sh');
  const card = cards(page).first();
  await expect(card).toContainText('Deletes the repository and its history');
  await expect(card).toContainText('High risk');
  await look(sharedApp, 'outcome-git');
  await press(page, 'Discard with message…');
  await card.getByRole('textbox').fill('I need that history.');
  await page.keyboard.press('Enter');
  await idle(page);
  expect(git('log', '--format=%s').trim()).toBe('first');
  // The agent reads the message with the result.
  await messages(page).locator('[data-call]').getByRole('button').first().click();
  await expect(messages(page)).toContainText('I need that history.');
});

test('what the person saves in the meantime is marked and never overwritten', async ({ sharedApp }) => {
  const { page, folder } = sharedApp;
  await prepare(sharedApp, {});
  await say(page, 'run echo agent > shared.txt; echo agent > own.txt');
  const card = cards(page).first();
  await expect(card).toContainText('shared.txt');
  put(folder, { 'shared.txt': 'mine\n' });
  const id = await card.getAttribute('data-approval');
  await press(page, /^Keep all/, card);
  await expect(page.locator(`[data-approval="${id}"]`)).toHaveCount(0);
  await expect(card).toContainText('changed in your folder');
  expect([read(folder, 'shared.txt'), read(folder, 'own.txt')]).toEqual(['mine\n', null]);
  await look(sharedApp, 'outcome-conflict');
  await press(page, /^Keep/, card);
  await idle(page);
  expect([read(folder, 'shared.txt'), read(folder, 'own.txt')]).toEqual(['mine\n', 'agent\n']);
});

test('a command that misses the network says so and runs for real when it is told to', async ({
  sharedApp,
}) => {
  const { page, folder } = sharedApp;
  await prepare(sharedApp, {
    'fetch.mjs': `import { appendFileSync } from 'node:fs';
const { cause } = await fetch('http://example.invalid/').catch((error) => error);
appendFileSync('tried.txt', 'x');
console.error(cause.message);
process.exit(1);`,
  });
  await say(page, 'run node fetch.mjs');
  const card = cards(page).first();
  await expect(card).toContainText('The throwaway layer blocked attempts to:');
  await expect(card).toContainText('example.invalid');
  await look(sharedApp, 'outcome-network');
  await resize(sharedApp, 900, 600);
  const middles = await card.locator('footer button').evaluateAll((all) =>
    all.map((it) => {
      const { top, bottom } = it.getBoundingClientRect();
      return Math.round((top + bottom) / 2);
    }),
  );
  expect(new Set(middles).size).toBe(1);
  await resize(sharedApp, 1280, 800);
  // Its terminal says the same.
  const dock = page.getByRole('listbox', { name: 'Commands' });
  await expect(dock.getByRole('option', { name: 'node fetch.mjs' })).toContainText('in a layer');
  await expect(page.getByText(/exit code 1\. It ran in a throwaway layer\./)).toBeVisible();
  expect(read(folder, 'tried.txt')).toBe(null);
  await press(page, /^Run for real/);
  await idle(page);
  expect(read(folder, 'tried.txt')).toBe('x');
  await expect(messages(page)).toContainText('ran for real');
});

test('Always saves the rule that it shows and keeps the outcome, and the command no longer asks', async ({
  sharedApp,
}) => {
  const { page, folder } = sharedApp;
  await prepare(sharedApp, {});
  await say(page, 'run touch made.txt');
  const card = cards(page).first();
  await expect(card.getByRole('button', { name: /^Keep all/ })).not.toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Control+Enter');
  await expect(card).toBeFocused();
  await page.keyboard.press('a');
  await expect(card.getByRole('radio', { name: 'touch made.txt', exact: true })).toBeFocused();
  await expect(card.getByRole('button', { name: /^Save rule and keep/ })).toBeEnabled();
  await look(sharedApp, 'outcome-always');
  await page.keyboard.press('Enter');
  await idle(page);
  expect(read(folder, 'made.txt')).toBe('');
  rmSync(join(folder, 'made.txt'));
  await say(page, 'run touch made.txt');
  await expect.poll(() => read(folder, 'made.txt')).toBe('');
  await idle(page);
  await expect(cards(page)).toHaveCount(0);
});

test('D and Enter discard an outcome with a message that the agent reads', async ({ sharedApp }) => {
  const { page, folder } = sharedApp;
  await prepare(sharedApp, {});
  await say(page, 'run echo x > named.txt');
  const card = cards(page).first();
  await expect(card.getByRole('button', { name: /^Keep all/ })).not.toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Control+Enter');
  await expect(card).toBeFocused();
  await page.keyboard.press('d');
  await expect(card.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('Use another name.');
  await page.keyboard.press('Enter');
  await idle(page);
  expect(existsSync(join(folder, 'named.txt'))).toBe(false);
  await messages(page).locator('[data-call]').getByRole('button').first().click();
  await expect(messages(page)).toContainText('Use another name.');
});

test('five outcomes are decided by five keystrokes', async ({ sharedApp }) => {
  const { page, folder } = sharedApp;
  await prepare(sharedApp, {});
  await say(page, [1, 2, 3, 4, 5].map((name) => `run echo ${name} > ${name}.txt`).join(' + '));
  const deck = page.getByRole('region', { name: 'Waiting for you' });
  await expect(deck.getByRole('status')).toContainText('of 5');
  await look(sharedApp, 'outcome-deck');
  await page.keyboard.press('Control+Enter');
  const card = deck.locator('[data-approval]').or(cards(page)).first();
  const decided: string[] = [];
  for (const key of ['k', 'Escape', 'Enter', 'k', 'Control+Enter']) {
    await expect(card).toBeFocused();
    await expect(card.getByRole('button', { name: /^Keep all/ })).not.toHaveAttribute(
      'aria-disabled',
      'true',
    );
    const id = await card.getAttribute('data-approval');
    const [, name = ''] = /echo (\d) >/.exec(await card.innerText()) ?? [];
    decided.push(name);
    await page.keyboard.press(key);
    await expect(page.locator(`[data-approval="${id}"]`)).toHaveCount(0);
  }
  await idle(page);
  const kept = [1, 2, 3, 4, 5].filter((name) => read(folder, `${name}.txt`) === `${name}\n`);
  expect(kept.map(String)).toEqual(decided.filter((_, index) => index !== 1).toSorted());
});

test('a command at its time limit runs on while the person is asked, and shows what it did when it is stopped', async ({
  launchApp,
}) => {
  const folder = makeFolder('time-limit');
  const waits = `sleep 4333.${process.pid}`;
  put(folder, { 'serve.sh': `echo started | tee served.txt\n${waits}\n` });
  const server = await startAnthropic(({ lastToolResults }) =>
    lastToolResults.length > 0
      ? { text: 'finished' }
      : { calls: [{ name: 'execute', args: { command: 'sh serve.sh', timeout: 2 } }] },
  );
  try {
    const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
    const { app, page } = await launchApp({ folder, args: [folder], env });
    await skipFirstRun(page);
    test.skip(!(await runsInLayers(page)), WHY);
    await chooseModel(page, 'Anthropic', 'claude-test');
    await say(page, 'serve');
    const asked = cards(page).filter({ hasText: 'Keep waiting for the command?' });
    await expect(asked).toContainText('It reached its time limit of 2 s');
    const running = () =>
      processTree(1)
        .filter(({ words }) => words.join(' ').trim() === waits)
        .map(({ pid }) => pid);
    const [pid] = running();
    expect(pid).toBeDefined();
    await look({ app, page }, 'outcome-time');
    expect(await violations(page, '[data-approval]')).toEqual([]);
    const first = await asked.getAttribute('data-approval');
    await press(page, /^Keep waiting/);
    await expect(page.locator(`[data-approval="${first}"]`)).toHaveCount(0);
    // It is asked about again after the same time. The process is the same.
    await expect(asked).toHaveCount(1);
    expect(running()).toEqual([pid]);
    await press(page, /^Stop/);
    await expect(cards(page)).toContainText('stopped at the time limit');
    await expect(cards(page)).toContainText('served.txt');
    expect(running()).toEqual([]);
    await press(page, /^Keep all/);
    await idle(page);
    expect(read(folder, 'served.txt')).toBe('started\n');
  } finally {
    await server.close();
  }
});

test('a folder whose commands cannot run in a layer has its reason in the settings, and its commands ask first', async ({
  launchApp,
}) => {
  const folder = makeFolder('no-layers');
  const dataDir = join(folder, '.deepdesk-data');
  mkdirSync(dataDir);
  giveToApp(folder);
  const { page } = await launchApp({ folder, dataDir, args: [folder] });
  await skipFirstRun(page);
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'Sandbox' }).click();
  await expect(
    page
      .getByText("The folder contains Deepdesk's data folder.")
      .or(page.getByText("can't sandbox commands")),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await say(page, 'run touch made.txt');
  await expect(cards(page).getByRole('button', { name: /^Allow once/ })).toBeVisible();
  expect(read(folder, 'made.txt')).toBe(null);
  await allow(page);
  await idle(page);
  expect(read(folder, 'made.txt')).toBe('');
});

/** Keeps all changes, and kills the app when it has written the `nth` record of that. */
async function keptUntilKilled({ app, page, kill9 }: RunningApp, nth: number): Promise<void> {
  const ended = await killAfter(app, 'keep.json', nth);
  // The page can go before the mouse has moved away.
  await Promise.all([ended(), press(page, /^Keep all/).catch(() => undefined)]);
  await kill9();
}

test('a kill while keeping leaves all or nothing, and the question is there again', async ({ launchApp }) => {
  const folder = makeFolder('kept');
  put(folder, { 'make.sh': 'i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo $i > made-$i.txt; done\n' });
  const made = () => readdirSync(folder).filter((name) => name.startsWith('made-')).length;
  const first = await launchApp({ folder, args: [folder] });
  await skipFirstRun(first.page);
  test.skip(!(await runsInLayers(first.page)), WHY);
  await say(first.page, 'run sh make.sh');
  await expect(cards(first.page)).toHaveCount(1);
  // The record of a keep is written before its files are staged, and again before they move.
  await keptUntilKilled(first, 1);

  const second = await launchApp({ folder, dataDir: first.dataDir });
  await expect(cards(second.page)).toHaveCount(1);
  expect(made()).toBe(0);
  await keptUntilKilled(second, 2);

  // The record was complete: the next start kept everything, and the agent is told when the turn continues.
  const { page } = await launchApp({ folder, dataDir: first.dataDir });
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(made()).toBe(400);
  await idle(page);
  expect(made()).toBe(400);
});
