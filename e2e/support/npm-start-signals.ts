import { test as base, expect } from '@playwright/test';
import { type NpmStart, npmStart } from './npm-start';
import { allow, idle, messages, say, skipFirstRun } from './window';

/** Milliseconds that the app may take to exit, plus a margin for a slow machine. */
const ENDS_WITHIN = 3_000 + 1_500;

/** Kills what a test started when the test is over. */
export const test = base.extend<{ start: (options?: Parameters<typeof npmStart>[0]) => NpmStart }>({
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

export type Target = 'the group' | 'npm';
export const send = ({ npm }: NpmStart, signal: NodeJS.Signals, target: Target) =>
  process.kill(target === 'npm' ? (npm.pid ?? 0) : -(npm.pid ?? 0), signal);

/** Waits until all of its processes have exited, and checks how long that took. */
export async function ends(one: NpmStart, failed?: 1): Promise<void> {
  const began = performance.now();
  await expect.poll(() => one.processes(), { timeout: 20_000, intervals: [20] }).toEqual([]);
  expect(performance.now() - began).toBeLessThan(ENDS_WITHIN);
  // npm exits with its own signal if that killed its shell; the app's own exit code is 0.
  const { code, signal } = await one.exit;
  expect([failed ?? 0, 129, 130, 143, 'SIGHUP', 'SIGINT', 'SIGTERM']).toContain(code ?? signal);
  const failures = /^.*(?:FATAL|Failed to shutdown|Still here|core dumped|TypeError).*$/gm;
  expect(one.output().match(failures) ?? []).toEqual([]);
}

/** How a running app is stopped. */
interface Running {
  signal: NodeJS.Signals;
  target: Target;
  twice?: boolean;
}

export const titleOf = ({ signal, target, twice }: Running): string =>
  `${signal} to ${target}${twice ? ', twice,' : ''} stops a turn with a command, and the conversation continues later`;

/** Signals an app with a running turn, and starts it again. */
export async function stopsAndContinues(
  start: (options?: Parameters<typeof npmStart>[0]) => NpmStart,
  { signal, target, twice }: Running,
): Promise<void> {
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
}
