// Threads of any length, imported from a file that the journey writes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, giveToApp, makeFolder, type RunningApp, type SharedApp } from './app';

/** Milliseconds between two messages. */
const MINUTE = 60_000;
const FROM = Date.parse('2026-01-02T08:00:00Z');

export const user = (index: number, text: string) => ({
  role: 'user',
  id: `m${index}`,
  at: FROM + index * MINUTE,
  text,
});
export const agent = (index: number, text: string, calls: object[] = []) => ({
  role: 'agent',
  id: `m${index}`,
  at: FROM + index * MINUTE,
  text,
  reasoning: '',
  calls,
  phase: 'done',
});

/** A thread with this many messages: questions, answers of different lengths with code, and calls. */
export function longThread(count: number): object[] {
  return Array.from({ length: count }, (_, index) => {
    if (index % 5 === 0) return user(index, `Question ${index}: what does part ${index} do?`);
    if (index % 5 === 1)
      return agent(index, '', [
        {
          callId: `c${index}`,
          name: 'read_file',
          args: { file_path: `/p/part-${index}.ts` },
          status: 'done',
          result: 'x',
        },
        {
          callId: `d${index}`,
          name: 'execute',
          args: { command: `npm test ${index}` },
          status: 'done',
          result: 'ok',
          exitCode: 0,
          durationMs: 1_200,
        },
      ]);
    if (index % 5 === 2)
      return agent(
        index,
        `Part ${index}:\n\n\`\`\`ts\nexport const part${index} = ${index};\n\`\`\`\n\nIt adds one.`,
      );
    return agent(index, `Answer ${index}. ${'It goes on for a while. '.repeat(index % 13)}`);
  });
}

const exported = (title: string, messages: object[]) =>
  JSON.stringify({
    format: 'deepdesk-thread',
    version: 1,
    thread: { title, model: 'offline:guide', createdAt: FROM, updatedAt: FROM },
    messages,
    todos: [],
  });

/** Imports a thread as a person would, with the file dialog answered. */
export async function importThread(
  { app, page }: SharedApp,
  title: string,
  messages: object[],
): Promise<void> {
  const file = join(makeFolder('import'), 'thread.json');
  writeFileSync(file, exported(title, messages));
  giveToApp(join(file, '..'));
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
  }, file);
  const project = page.getByRole('navigation', { name: 'Projects and threads' });
  await project.getByRole('button', { name: /^Actions for sample-project/ }).click();
  await page.getByRole('menuitem', { name: 'Import thread…' }).click();
  await expect(page.getByRole('banner').getByRole('heading', { level: 1 })).toContainText(title);
}

export const log = (page: Page) => page.getByRole('log', { name: 'Messages' });
export const distance = (page: Page) =>
  log(page).evaluate((element) =>
    Math.round(element.scrollHeight - element.clientHeight - element.scrollTop),
  );

export async function start(launchApp: (options?: object) => Promise<RunningApp>): Promise<RunningApp> {
  const running = await launchApp();
  await expect(running.page.getByRole('navigation', { name: 'Projects and threads' })).toBeVisible();
  return running;
}
