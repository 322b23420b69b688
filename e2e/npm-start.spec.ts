// What `npm start` prints, and how it exits: on each signal, at each stage, sent to the script alone or to its whole group.
import { expect } from '@playwright/test';
import { commandLine, type NpmStart } from './support/npm-start';
import { ends, send, stopsAndContinues, test, titleOf } from './support/npm-start-signals';
import { composer, idle, messages, say, skipFirstRun } from './support/window';

test.skip(process.platform !== 'linux', 'reads /proc');

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

// npm-start.servers.ts has the other signals.
const running = { signal: 'SIGTERM', target: 'the group' } as const;
test(titleOf(running), ({ start }) => stopsAndContinues(start, running));

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
