import { ok } from '@contract/result';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LanguageProvider } from '../../../i18n';
import { addToMessage } from '../../../link';
import { giveElementsSize } from '../../../testing/layout';
import {
  commands,
  Held,
  host,
  mount,
  options,
  sent,
  startComposer,
  stopComposer,
  threadId,
  type,
} from './testing/composer-with-host';

giveElementsSize();
beforeEach(startComposer);
afterEach(stopComposer);

describe('completion after @', () => {
  it('completes files and folders by keyboard, quoted if necessary', async () => {
    render(<Held />);
    const area = await type('see @sum');
    expect(await options()).toEqual(['sum.tssrc/lib', 'sum.test.tssrc']);
    fireEvent.keyDown(area, { key: 'ArrowDown' });
    const active = area.getAttribute('aria-activedescendant') ?? '';
    expect(document.getElementById(active)?.getAttribute('aria-selected')).toBe('true');
    fireEvent.keyDown(area, { key: 'Enter' });
    expect(area.value).toBe('see @src/sum.test.ts ');
    expect([screen.queryByRole('listbox'), sent()]).toEqual([null, []]);

    await type('see @my');
    host.answers['files.find'] = () =>
      ok({ matches: [{ path: 'x', name: 'my file.md', ranges: [] }], total: 1, files: 1, listing: false });
    await type('see @my ');
    await type('see @my f'.slice(0, 7));
    await waitFor(async () => expect(await options()).toEqual(['my file.md']));
    fireEvent.keyDown(area, { key: 'Enter' });
    expect(area.value).toBe('see @"my file.md" ');
  });

  it('continues into a folder on Tab, and closes on Escape without stopping the agent', async () => {
    render(<Held running />);
    const area = await type('@');
    const at = await waitFor(async () => {
      const found = (await options()).findIndex((name) => name.startsWith('src/'));
      expect(found).not.toBe(-1);
      return found;
    });
    for (let step = 0; step < at; step++) fireEvent.keyDown(area, { key: 'ArrowDown' });
    fireEvent.keyDown(area, { key: 'Tab' });
    expect(area.value).toBe('@src/');
    // The list continues there.
    expect(screen.getByRole('listbox')).toBeDefined();
    await waitFor(() =>
      expect(host.calls.findLast(({ command }) => command === 'files.list')?.input).toEqual({
        projectId: 'p1',
        threadId,
        path: `${mount}/src`,
      }),
    );
    fireEvent.keyDown(area, { key: 'Escape' });
    expect(screen.queryByRole('listbox')).toBeNull();
    fireEvent.keyDown(area, { key: 'Escape' });
    expect(await screen.findByText('Press Esc again to stop')).toBeDefined();
    expect(host.calls.some((one) => one.command === 'thread.stop')).toBe(false);
    fireEvent.keyDown(area, { key: 'Escape' });
    await waitFor(() => expect(host.calls.at(-1)?.command).toBe('thread.stop'));
  });

  it('enters the highlighted folder on a slash', async () => {
    render(<Held />);
    const area = await type('see @sr');
    const at = await waitFor(async () => {
      const found = (await options()).findIndex((name) => name.startsWith('src/'));
      expect(found).not.toBe(-1);
      return found;
    });
    for (let step = 0; step < at; step++) fireEvent.keyDown(area, { key: 'ArrowDown' });
    fireEvent.keyDown(area, { key: '/' });
    expect(area.value).toBe('see @src/');
    // The folder's contents, without matches from elsewhere.
    await waitFor(async () => expect(await options()).toEqual(['src/srcTab opens it', 'my file.mdsrc']));
    // If a file is highlighted, a slash is just a character.
    await type('');
    await type('see @sum');
    await waitFor(async () => expect((await options())[0]).toMatch(/^sum\.ts/));
    expect(fireEvent.keyDown(area, { key: '/' })).toBe(true);
    expect(area.value).toBe('see @sum');
  });

  it("attaches the thread's changes and removes the typed word", async () => {
    render(<Held />);
    const area = await type('look at @chan');
    await waitFor(async () => expect((await options())[0]).toMatch(/^Changes in this thread/));
    fireEvent.keyDown(area, { key: 'Enter' });
    expect(area.value).toBe('look at ');
    await screen.findByRole('button', { name: 'Remove changes.diff' });
  });

  it('inserts text from elsewhere in the window at the caret', async () => {
    render(<Held />);
    const area = await type('look at');
    addToMessage('@src/sum.ts');
    await waitFor(() => expect(area.value).toBe('look at @src/sum.ts '));
    addToMessage('\n```console\nok\n```\n');
    await waitFor(() => expect(area.value).toBe('look at @src/sum.ts \n```console\nok\n```\n'));
  });
});

describe('completion after /', () => {
  it("inserts a skill, and asks for a prompt's arguments", async () => {
    render(<Held />);
    const area = await type('/rev');
    expect(await options()).toEqual(['/reviewReviews.skill', '/trial:reviewReviews a book.prompt']);
    fireEvent.keyDown(area, { key: 'Enter' });
    expect(area.value).toBe('/review ');
    await type('/trial');
    await waitFor(async () => expect(await options()).toEqual(['/trial:reviewReviews a book.prompt']));
    fireEvent.keyDown(area, { key: 'Enter' });
    fireEvent.change(await screen.findByRole('textbox', { name: 'title' }), { target: { value: 'One' } });
    fireEvent.click(screen.getByRole('button', { name: 'Insert prompt' }));
    await waitFor(() => expect(area.value).toBe('Review One.'));
    expect(sent()).toEqual([]);
  });

  it("finds the app's own skills by their localized names", async () => {
    const own = { kind: 'skill', name: 'project-guide', description: 'For models.', source: 'app' } as const;
    host.answers['composer.commands'] = () => ok({ commands: [...commands, own], coming: [] });
    render(
      <LanguageProvider language="zh">
        <Held />
      </LanguageProvider>,
    );
    await type('/项目');
    await waitFor(async () =>
      expect(await options()).toEqual([
        '/project-guide项目指南：编写或更新 AGENTS.md，供智能体在工作前阅读技能',
      ]),
    );
  });

  it("says which servers' prompts are still loading, and offers them as soon as a server is ready", async () => {
    const [prompt] = commands.filter(({ kind }) => kind === 'prompt');
    const others = commands.filter(({ kind }) => kind !== 'prompt');
    let isUp = false;
    host.answers['composer.commands'] = () =>
      ok(
        isUp
          ? { commands: [...others, ...(prompt ? [prompt] : [])], coming: [] }
          : { commands: others, coming: ['trial'] },
      );
    render(<Held />);
    await type('/');
    expect(await screen.findByText('Loading prompts from trial')).toBeTruthy();
    expect(await options()).not.toContain('/trial:reviewReviews a book.prompt');
    isUp = true;
    host.emitApp({ type: 'mcp.changed', projectId: null });
    await waitFor(async () => expect(await options()).toContain('/trial:reviewReviews a book.prompt'));
    expect(screen.queryByText('Loading prompts from trial')).toBeNull();
  });

  it('offers nothing in the middle of a message', async () => {
    render(<Held />);
    await type('this/that and /re');
    expect(screen.queryByRole('listbox')).toBeNull();
  });
});
