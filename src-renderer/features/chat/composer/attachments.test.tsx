import { Attachment } from '@contract/attachments';
import type { ComposerCommand } from '@contract/commands/composer';
import { ProjectId, ThreadId, TurnId } from '@contract/ids';
import { LONG_PASTE, MAX_ATTACHMENT, MAX_ATTACHMENTS, MAX_INSERTED } from '@contract/limits';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LanguageProvider } from '../../../i18n';
import { addToMessage, onIntent, start, usePort } from '../../../link';
import { type FakeHost, fakeHost } from '../../../testing/fake-host';
import { giveElementsSize } from '../../../testing/layout';
import { sampleApp } from '../../../testing/samples';
import { Composer } from './composer';
import { useDraft } from './drafts';

giveElementsSize();

const threadId = ThreadId.parse('t1');
const mount = '/home/me/my-api';
const attachment = (id: string, change: Partial<Attachment> = {}): Attachment =>
  Attachment.parse({
    id: id.repeat(64),
    kind: 'text',
    origin: 'paste',
    name: 'notes.txt',
    path: `/attachments/${id}`,
    mimeType: 'text/plain',
    bytes: 10,
    lines: 3,
    length: 10,
    ...change,
  });
const commands: ComposerCommand[] = [
  { kind: 'action', name: 'compact' },
  { kind: 'skill', name: 'review', description: 'Reviews.', source: 'app' },
  {
    kind: 'prompt',
    name: 'trial:review',
    description: 'Reviews a book.',
    serverId: 'person:trial',
    prompt: 'review',
    arguments: [{ name: 'title', description: 'Of the book', required: true }],
  },
];

const Held = ({ running = false }: { running?: boolean }) => {
  const [draft, setDraft] = useDraft(threadId);
  const [sent, setSent] = useState(0);
  const isReady = usePort().phase === 'ready';
  if (!isReady) return null;
  return (
    <Composer
      threadId={threadId}
      projectId={ProjectId.parse('p1')}
      mount={mount}
      phase={running ? 'running' : 'idle'}
      queue={[]}
      lastMessage={undefined}
      draft={draft}
      onDraft={setDraft}
      stopKeys="Ctrl+."
      mac={false}
      onSent={() => setSent(sent + 1)}
    />
  );
};

let host: FakeHost;
let stop: () => void;
beforeEach(() => {
  host = fakeHost(sampleApp(), [], {
    'thread.send': () => ok({ turnId: TurnId.parse('u1'), queued: false }),
    'thread.stop': () => ok({}),
    'attachments.add': ({ name, origin }) => ok(attachment('a', { name, origin })),
    'attachments.changes': () => ok(attachment('c', { name: 'changes.diff', origin: 'changes', bytes: 5 })),
    'attachments.text': () => ok({ text: 'the pasted words' }),
    'attachments.remove': () => ok({}),
    'composer.commands': () => ok({ commands, coming: [] }),
    'composer.resources': () =>
      ok({
        resources: [
          {
            serverId: 'person:books',
            server: 'books',
            uri: 'book://one',
            name: 'One',
            description: 'The first.',
          },
          { serverId: 'person:books', server: 'books', uri: 'book://two', name: 'Two', description: '' },
        ],
      }),
    'attachments.resource': ({ uri }) =>
      ok(attachment('d', { name: `${uri.slice(7)}.txt`, origin: 'resource', bytes: 5 })),
    'composer.prompt': ({ arguments: args }) => ok({ text: `Review ${args.title}.` }),
    'memories.list': () => ok({ memories: [] }),
    'files.list': ({ path }) =>
      ok({
        entries: [
          { path: `${path}/src`, name: 'src', kind: 'directory' },
          { path: `${path}/my file.md`, name: 'my file.md', kind: 'file', size: 1 },
        ],
        total: 2,
        nextOffset: null,
      }),
    'files.find': ({ query }) =>
      ok({
        matches: ['src/lib/sum.ts', 'src/sum.test.ts']
          .filter((name) => name.includes(query))
          .map((name) => ({ path: `${mount}/${name}`, name, ranges: [] })),
        total: 2,
        files: 2,
        listing: false,
      }),
  });
  stop = start(host.port);
});
afterEach(() => {
  cleanup();
  stop();
  localStorage.clear();
});

const field = () =>
  screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^(Message to the agent|给智能体的消息)$/ });
const sent = () => host.calls.filter((one) => one.command === 'thread.send').map((one) => one.input);
const type = async (text: string) => {
  const area = await field();
  area.focus();
  fireEvent.change(area, { target: { value: text } });
  area.setSelectionRange(text.length, text.length);
  fireEvent.select(area);
  return area;
};
const paste = async (text: string, files: File[] = []) =>
  fireEvent.paste(await field(), { clipboardData: { getData: () => text, files } });
const options = async () => (await screen.findAllByRole('option')).map((one) => one.textContent);

describe('message attachments', () => {
  it('attaches a long pasted text, which can still be inserted into the message', async () => {
    render(<Held />);
    await paste('x'.repeat(LONG_PASTE));
    expect(host.calls.some((one) => one.command === 'attachments.add')).toBe(false);
    await paste('x'.repeat(LONG_PASTE + 1));
    const open = await screen.findByRole('button', { name: /^Pasted text.txt/ });
    expect(open.textContent).toBe('Pasted text.txt3 lines');
    const intents: unknown[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    fireEvent.click(screen.getByRole('button', { name: 'Insert Pasted text.txt as text' }));
    await waitFor(async () => expect((await field()).value).toBe('the pasted words'));
    expect(screen.queryByRole('list', { name: 'Attachments' })).toBeNull();
    // The file may be open beside the conversation.
    expect(intents).toEqual([{ type: 'closeFile', path: '/attachments/a' }]);
    undo();
  });

  it('does not insert a text with which every key would take seconds', async () => {
    host.answers['attachments.add'] = ({ name, origin }) =>
      ok(attachment('a', { name, origin, bytes: MAX_INSERTED + 1 }));
    render(<Held />);
    await paste('x'.repeat(MAX_INSERTED + 1));
    await screen.findByRole('button', { name: 'Remove Pasted text.txt' });
    expect(screen.queryByRole('button', { name: 'Insert Pasted text.txt as text' })).toBeNull();
  });

  it('names the limit for a pasted text that is too large, as for a file', async () => {
    render(<Held />);
    await paste('x'.repeat(MAX_ATTACHMENT + 1));
    expect((await screen.findByRole('alert')).textContent).toContain('Pasted text.txt');
    expect((await screen.findByRole('alert')).textContent).toContain('10 MB');
    expect(host.calls.some((one) => one.command === 'attachments.add')).toBe(false);
  });

  it('attaches a resource of an MCP server by its name, or by the name of the server', async () => {
    render(<Held />);
    const area = await type('Read @two');
    const option = await screen.findByRole('option', { name: /Two/ });
    expect(option.textContent).toBe('Twobooks');
    fireEvent.keyDown(area, { key: 'Enter' });
    await screen.findByRole('button', { name: 'Remove two.txt' });
    expect(area.value).toBe('Read ');
    expect(host.calls.find(({ command }) => command === 'attachments.resource')?.input).toEqual({
      threadId,
      serverId: 'person:books',
      uri: 'book://two',
    });
    await type('Read @books:o');
    expect((await screen.findByRole('option', { name: /One/ })).textContent).toBe('OneThe first.books');
  });

  it('sends attachments with or without text, and clears them afterwards', async () => {
    render(<Held />);
    await paste('', [new File(['png'], 'image.png', { type: 'image/png' })]);
    await screen.findByRole('button', { name: 'Remove Pasted image.png' });
    fireEvent.keyDown(await field(), { key: 'Enter' });
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Attachments' })).toBeNull());
    expect(sent()).toEqual([
      { threadId, text: '', attachments: [attachment('a', { name: 'Pasted image.png' })] },
    ]);
    expect(host.calls.find((one) => one.command === 'attachments.add')?.input).toEqual({
      threadId,
      origin: 'paste',
      name: 'Pasted image.png',
      data: btoa('png'),
    });
  });

  it('keeps attachments with the draft, and tells the host to forget a removed one', async () => {
    const view = render(<Held />);
    await paste('', [new File(['a'], 'a.txt')]);
    await screen.findByRole('button', { name: 'Remove a.txt' });
    view.unmount();
    render(<Held />);
    fireEvent.click(await screen.findByRole('button', { name: 'Remove a.txt' }));
    expect(screen.queryByRole('list', { name: 'Attachments' })).toBeNull();
    await waitFor(() => expect(host.calls.at(-1)?.command).toBe('attachments.remove'));
    expect(host.calls.at(-1)?.input).toEqual({ threadId, id: 'a'.repeat(64) });
  });

  it('keeps files with the same content apart by their names, and their content until the last is removed', async () => {
    host.answers['attachments.add'] = ({ name, origin }) =>
      ok(attachment('e', { name, origin, path: `/attachments/e-${name}` }));
    render(<Held />);
    await paste('', [new File([], 'a.py'), new File([], 'b.py')]);
    const remove = (name: string) => screen.findByRole('button', { name: `Remove ${name}` });
    await remove('b.py');
    fireEvent.click(await remove('a.py'));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove a.py' })).toBeNull());
    const told = () => host.calls.filter(({ command }) => command === 'attachments.remove').length;
    expect(told()).toBe(0);
    fireEvent.click(await remove('b.py'));
    await waitFor(() => expect(told()).toBe(1));
  });

  it('keeps files in the order they were chosen in, whichever arrives first', async () => {
    let arrive: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    host.answers['attachments.add'] = async ({ name, origin }) => {
      if (name === 'a.py') await first;
      return ok(attachment('e', { name, origin, path: `/attachments/e-${name}` }));
    };
    render(<Held />);
    await paste('', [new File(['a'], 'a.py'), new File(['b'], 'b.py'), new File(['c'], 'c.py')]);
    await screen.findByRole('button', { name: 'Remove c.py' });
    arrive();
    await screen.findByRole('button', { name: 'Remove a.py' });
    const names = screen
      .getAllByRole('button', { name: /^Remove / })
      .map((one) => one.getAttribute('aria-label'));
    expect(names).toEqual(['Remove a.py', 'Remove b.py', 'Remove c.py']);
  });

  it('says why something could not be attached, and keeps the text', async () => {
    host.answers['attachments.add'] = () => fail('storage', 'external', { text: 'Make room on the disk.' });
    render(<Held />);
    await type('precious');
    await paste('', [new File(['a'], 'a.txt')]);
    expect((await screen.findByRole('alert')).textContent).toBe('Make room on the disk.');
    expect((await field()).value).toBe('precious');
  });

  it('names each file that could not be attached, not only the last', async () => {
    const answer = host.answers['attachments.add'];
    host.answers['attachments.add'] = (input) =>
      input.name === 'b.txt' ? fail('storage', 'external', { text: 'No room.' }) : (answer?.(input) as never);
    render(<Held />);
    const large = (name: string) => new File([new Uint8Array(MAX_ATTACHMENT + 1)], name);
    await paste('', [large('a.bin'), new File(['b'], 'b.txt'), large('c.bin'), new File(['d'], 'd.txt')]);
    await screen.findByRole('button', { name: 'Remove d.txt' });
    expect(screen.getByRole('alert').textContent).toMatch(/“a\.bin”.*“c\.bin”.*\nNo room\./u);
  });

  it('attaches as many files as fit beside one that is too large', async () => {
    render(<Held />);
    const large = new File([new Uint8Array(MAX_ATTACHMENT + 1)], 'a.bin');
    const small = Array.from({ length: MAX_ATTACHMENTS }, (_, at) => new File([`${at}`], `${at}.txt`));
    await paste('', [large, ...small]);
    const added = () => host.calls.filter(({ command }) => command === 'attachments.add');
    await waitFor(() => expect(added()).toHaveLength(MAX_ATTACHMENTS));
    expect(screen.getByRole('alert').textContent).toMatch(/^“a\.bin”/u);
  });
});

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

describe('message history', () => {
  it('is browsed with the arrow keys in an empty composer, and leaves edited text alone', async () => {
    render(<Held />);
    for (const text of ['one', 'two']) {
      const area = await type(text);
      fireEvent.keyDown(area, { key: 'Enter' });
      await waitFor(() => expect(area.value).toBe(''));
    }
    const area = await field();
    const press = (key: string) => {
      fireEvent.keyDown(area, { key });
      return area.value;
    };
    expect([press('ArrowUp'), press('ArrowUp'), press('ArrowUp')]).toEqual(['two', 'one', 'one']);
    expect([press('ArrowDown'), press('ArrowDown'), press('ArrowDown')]).toEqual(['two', '', '']);
    await type('mine');
    expect(press('ArrowUp')).toBe('mine');
  });
});
