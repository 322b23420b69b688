// What `npm start` prints, and how it exits: on each signal, at each stage, sent to the script alone or to its whole group.
import { test as base, expect } from '@playwright/test';
import { commandLine, type NpmStart, npmStart } from './support/npm-start';
import { allow, composer, idle, messages, say, skipFirstRun } from './support/window';

/** Milliseconds that the app may take to exit, plus a margin for a slow machine. */
const ENDS_WITHIN = 3_000 + 1_500;

/** Kills what a test started when the test is over. */
const test = base.extend<{ start: (options?: Parameters<typeof npmStart>[0]) => NpmStart }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that a fixture needs from this pattern.
  start: async ({}, use, info) => {
    const started: NpmStart[] = [];
    await use((options) => {
      const one = npmStart(options);
      started.push(one);
      return one;
    });
    for (const one of started) {
      await one.clean();
      if (info.status !== info.expectedStatus)
        await info.attach('output of npm start', { body: one.output(), contentType: 'text/plain' });
    }
  },
});

test.skip(process.platform !== 'linux', 'reads /proc');

type Target = 'the group' | 'npm';
const send = ({ npm }: NpmStart, signal: NodeJS.Signals, target: Target) =>
  process.kill(target === 'npm' ? (npm.pid ?? 0) : -(npm.pid ?? 0), signal);

/** Waits until all of its processes have exited, and checks how long that took. */
async function ends(one: NpmStart, failed?: 1): Promise<void> {
  const began = performance.now();
  await expect.poll(() => one.processes(), { timeout: 20_000, intervals: [20] }).toEqual([]);
  expect(performance.now() - began).toBeLessThan(ENDS_WITHIN);
  // npm exits with its own signal if that killed its shell; the app's own exit code is 0.
  const { code, signal } = await one.exit;
  expect([failed ?? 0, 129, 130, 143, 'SIGHUP', 'SIGINT', 'SIGTERM']).toContain(code ?? signal);
  const failures = /^.*(?:FATAL|Failed to shutdown|Still here|core dumped|TypeError).*$/gm;
  expect(one.output().match(failures) ?? []).toEqual([]);
}

const MOMENTS: { name: string; reached: (one: NpmStart) => Promise<void> }[] = [
  { name: 'npm begins', reached: async () => undefined },
  { name: 'the script begins', reached: (one) => one.says(/node scripts\/start\.mjs/) },
  {
    name: 'Electron is there',
    reached: (one) => expect.poll(() => one.main(), { intervals: [5] }).not.toBeNull(),
  },
  { name: 'Chromium listens', reached: (one) => one.says(/DevTools listening/) },
  { name: 'the page is asked for', reached: async (one) => void (await one.page()) },
];
for (const { name, reached } of MOMENTS) {
  test(`exits cleanly during startup, on a signal as soon as ${name}`, async ({ start }) => {
    for (const [signal, target] of [
      ['SIGTERM', 'the group'],
      ['SIGINT', 'the group'],
      ['SIGHUP', 'npm'],
    ] as const) {
      await test.step(`${signal} to ${target}`, async () => {
        const one = start();
        await reached(one);
        send(one, signal, target);
        await ends(one);
      });
    }
  });
}

const RUNNING: { signal: NodeJS.Signals; target: Target; twice?: boolean }[] = [
  { signal: 'SIGTERM', target: 'the group' },
  { signal: 'SIGINT', target: 'the group' },
  { signal: 'SIGHUP', target: 'the group' },
  { signal: 'SIGTERM', target: 'npm' },
  { signal: 'SIGTERM', target: 'the group', twice: true },
];
for (const { signal, target, twice } of RUNNING) {
  test(`${signal} to ${target}${twice ? ', twice,' : ''} stops a turn with a command, and the conversation continues later`, async ({
    start,
  }) => {
    const first = start();
    const page = await first.page();
    await skipFirstRun(page);
    await say(page, 'run sleep 4324');
    await allow(page);
    await expect(messages(page)).toContainText('sleep 4324');
    await expect(page.getByRole('button', { name: 'Stop', exact: true }).first()).toBeVisible();
    send(first, signal, target);
    if (twice) send(first, signal, target);
    await ends(first);

    const second = start({ dataDir: first.dataDir });
    const again = await second.page();
    await expect(messages(again)).toContainText('run sleep 4324');
    await expect(again.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
    await expect(messages(again)).not.toContainText(/killed|crashed/i);
    await say(again, 'hello again');
    await idle(again);
    const sent = messages(again)
      .getByRole('paragraph')
      .filter({ hasText: /^hello again$/ });
    await expect(sent).toHaveCount(1);
  });
}

test('its output contains only what a user needs', async ({ start }) => {
  const one = start();
  const page = await one.page();
  await expect(composer(page)).toBeVisible();
  await skipFirstRun(page);
  await say(page, 'hello');
  await idle(page);
  send(one, 'SIGTERM', 'the group');
  await ends(one);
  const expected = /^$|^> |^npm warn |^\[(runtime|display|sandbox|build)\] \S|^DevTools listening on /;
  const lines = one.output().split('\n');
  expect(lines.filter((line) => !expected.test(line))).toEqual([]);
});

test('a lost display is reported in one line, and the next start works', async ({ start }) => {
  const first = start();
  const page = await first.page();
  await skipFirstRun(page);
  await say(page, 'hello before');
  await idle(page);
  const display = first.processes().find((pid) => commandLine(pid)[0]?.endsWith('Xvfb'));
  test.skip(display === undefined, "there is no Xvfb here: the person's own display cannot be ended");
  process.kill(display ?? 0, 'SIGKILL');
  await ends(first, 1);
  expect(first.output()).toContain('[display] the display is gone');

  const second = start({ dataDir: first.dataDir });
  await expect(messages(await second.page())).toContainText('hello before');
});
