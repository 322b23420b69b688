import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAnthropic } from './providers/anthropic';
import { inTurn, type Script } from './providers/script';
import { expect, type RunningApp, test } from './support/app';
import { runsInLayers } from './support/sandbox';
import { cards, chooseModel, composer, idle, messages, skipFirstRun } from './support/window';

// The animation at the top of the README: a model is asked, its command is rehearsed, kept, and undone. Only for
// npm run screenshots -- --readme.
test.skip(process.env.DEEPDESK_SCREENSHOTS !== '1', 'takes pictures, proves nothing');

const PROMPT = 'The test fails. Find out why, fix it and run the tests again.';
const SIZE = { width: 1200, height: 720 };

/** Takes the next frame, which is shown for so many milliseconds. */
function recorder({ page, shot }: RunningApp) {
  let count = 0;
  return async (milliseconds: number) => {
    await page.evaluate(() => document.fonts.ready);
    await shot(`turn/${String(++count).padStart(2, '0')}-${milliseconds}`);
  };
}

test('a turn is asked, rehearsed, kept and undone', async ({ launchApp }) => {
  // The paths of its calls are known once the app runs.
  let script: Script = () => ({ text: '' });
  const server = await startAnthropic((request) => script(request));
  try {
    const running = await launchApp({
      env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url },
    });
    const { app, page, dataDir } = running;
    await app.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
      SIZE,
    );
    await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(SIZE.width);
    await skipFirstRun(page);
    test.skip(!(await runsInLayers(page)), 'commands cannot run in a throwaway layer on this machine');
    const folder = join(dataDir, 'sample-project');
    const file = join(folder, 'src', 'sum.js');
    const before = readFileSync(file, 'utf8');
    script = inTurn([
      {
        text: 'I read the function and run its test.',
        calls: [
          { name: 'read_file', args: { file_path: file } },
          { name: 'execute', args: { command: 'node --test' } },
        ],
      },
      {
        text: '`sum` subtracts. I correct it and run the tests again.',
        calls: [
          {
            name: 'execute',
            args: { command: "sed -i 's/a - b/a + b/' src/sum.js && node --test" },
          },
        ],
      },
      { text: 'Fixed: `sum` subtracted where it should add. The test passes now.' },
    ]);
    await chooseModel(page, 'Anthropic', 'claude-sonnet-4-5', 'Claude Sonnet 4.5');
    const frame = recorder(running);
    await composer(page).focus();
    await frame(900);
    for (const end of [15, 36, PROMPT.length]) {
      await composer(page).fill(PROMPT.slice(0, end));
      await frame(end === PROMPT.length ? 1_000 : 250);
    }
    await composer(page).press('Enter');
    const card = cards(page).first();
    await expect(card.getByRole('heading', { name: 'Keep what the command did?' })).toBeVisible();
    expect(readFileSync(file, 'utf8')).toBe(before);
    // The card shows the end of the output; the terminal would take its space.
    await page.keyboard.press('Control+J');
    await expect(page.getByRole('region', { name: 'Terminal', exact: true })).toHaveCount(0);
    const change = card.getByRole('button', { name: /^Changed ?src\/sum\.js/ });
    await expect(card.locator('footer')).toHaveAttribute('aria-busy', 'false');
    await frame(2_600);
    if ((await change.getAttribute('aria-expanded')) === 'false') await change.click();
    await expect(card).toContainText('a + b');
    await frame(2_600);
    const keep = card.getByRole('button', { name: /^Keep/ }).last();
    await expect(keep).not.toHaveAttribute('aria-disabled', 'true');
    await keep.hover();
    await frame(700);
    await keep.click();
    await page.mouse.move(0, 0);
    await idle(page);
    await expect(messages(page)).toContainText('The test passes now.');
    await page.getByRole('tab', { name: 'Changes' }).click();
    await expect(page.getByRole('region', { name: 'Files, changes, memories and plan' })).toContainText(
      'sum.js',
    );
    await frame(3_000);
    const undo = messages(page).getByRole('button', { name: 'Undo the file changes of this turn' });
    await undo.hover();
    await frame(700);
    await undo.click();
    await page.mouse.move(0, 0);
    await expect(messages(page)).toContainText('Undone');
    expect(readFileSync(file, 'utf8')).toBe(before);
    await frame(3_000);
  } finally {
    await server.close();
  }
});
