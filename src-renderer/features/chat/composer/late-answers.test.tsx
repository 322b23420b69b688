import { Attachment } from '@contract/attachments';
import { QueuedMessage } from '@contract/conversation';
import { ProjectId, ThreadId, TurnId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start, usePort } from '../../../link';
import { type FakeHost, fakeHost } from '../../../testing/fake-host';
import { giveElementsSize } from '../../../testing/layout';
import { sampleApp } from '../../../testing/samples';
import { Composer } from './composer';
import { readDraft, useDraft, writeAttached, writeDraft } from './drafts';

giveElementsSize();

const threadId = ThreadId.parse('late-answers-test');
const attachment = (name: string): Attachment =>
  Attachment.parse({
    id: 'a'.repeat(64),
    kind: 'text',
    origin: 'paste',
    name,
    path: `/attachments/${name}`,
    mimeType: 'text/plain',
    bytes: 10,
    lines: 3,
    length: 10,
  });

const Held = ({ queue = [] }: { queue?: QueuedMessage[] }) => {
  const [draft, setDraft] = useDraft(threadId);
  if (usePort().phase !== 'ready') return null;
  return (
    <Composer
      threadId={threadId}
      projectId={ProjectId.parse('p1')}
      mount="/home/me/my-api"
      phase={queue.length > 0 ? 'running' : 'idle'}
      queue={queue}
      lastMessage={undefined}
      draft={draft}
      onDraft={setDraft}
      stopKeys="Ctrl+."
      mac={false}
      onSent={() => {}}
    />
  );
};

/** Answers once the test says so. */
function later<T>(value: T) {
  let give = () => {};
  const given = new Promise<void>((done) => {
    give = done;
  });
  return { answer: () => given.then(() => value), give: () => act(async () => give()) };
}

let host: FakeHost;
let stop: () => void;
beforeEach(() => {
  host = fakeHost(sampleApp(), [], { 'composer.resources': () => ok({ resources: [] }) });
  stop = start(host.port);
});
afterEach(() => {
  cleanup();
  stop();
  localStorage.clear();
});

const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message to the agent' });
const type = async (text: string, caret = text.length) => {
  const area = await field();
  area.focus();
  fireEvent.change(area, { target: { value: text } });
  area.setSelectionRange(caret, caret);
  fireEvent.select(area);
  return area;
};
const asked = (command: string) => host.calls.filter((one) => one.command === command);

describe('an answer that takes a while', () => {
  it('keeps what is attached while a message is being sent', async () => {
    const sending = later(ok({ turnId: TurnId.parse('u1'), queued: false }));
    host.answers['thread.send'] = sending.answer;
    writeAttached(threadId, [attachment('one.txt')]);
    render(<Held />);
    const area = await type('look at this');
    fireEvent.keyDown(area, { key: 'Enter' });
    await waitFor(() => expect(asked('thread.send')).toHaveLength(1));
    act(() => writeAttached(threadId, [attachment('one.txt'), attachment('two.txt')]));
    await sending.give();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove one.txt' })).toBeNull());
    expect(screen.getByRole('button', { name: 'Remove two.txt' })).toBeTruthy();
  });

  it('empties the field of a thread that was left and shown again while its message was being sent', async () => {
    const sending = later(ok({ turnId: TurnId.parse('u1'), queued: false }));
    host.answers['thread.send'] = sending.answer;
    writeDraft(threadId, 'list files');
    const first = render(<Held />);
    fireEvent.keyDown(await field(), { key: 'Enter' });
    await waitFor(() => expect(asked('thread.send')).toHaveLength(1));
    first.unmount();
    render(<Held />);
    expect((await field()).value).toBe('list files');
    await sending.give();
    await waitFor(async () => expect((await field()).value).toBe(''));
    expect(readDraft(threadId)).toBe('');
  });

  /** Answers what was typed once the test says so: with what matches it, best first. */
  const findLater = (matches: Record<string, string[]>) => {
    const given = new Map<string, () => void>();
    host.answers['files.find'] = async ({ query }: { query: string }) => {
      await new Promise<void>((done) => given.set(query, done));
      const names = matches[query] ?? [];
      return ok({
        matches: names.map((name) => ({ name, path: `/home/me/my-api/${name}`, ranges: [] })),
        total: names.length,
        files: 9,
        listing: false,
      });
    };
    return async (query: string) => {
      await waitFor(() => expect(given.has(query)).toBe(true));
      await act(async () => given.get(query)?.());
    };
  };

  it('takes what matches the whole name when Enter comes before the answer', async () => {
    const give = findLater({ or: ['actor.ts'], ord: ['orders.ts'] });
    render(<Held />);
    await type('see @or');
    await give('or');
    await screen.findByRole('option', { name: /actor/ });
    const area = await type('see @ord');
    fireEvent.keyDown(area, { key: 'Enter' });
    expect(area.value).toBe('see @ord');
    await give('ord');
    await waitFor(() => expect(area.value).toBe('see @orders.ts '));
    expect(asked('thread.send')).toEqual([]);
  });

  it('takes the row of the earlier list that was moved to after the last letter', async () => {
    const give = findLater({ or: ['actor.ts', 'orders.ts'] });
    render(<Held />);
    await type('see @or');
    await give('or');
    await screen.findByRole('option', { name: /actor/ });
    const area = await type('see @ord');
    for (const key of ['ArrowDown', 'Enter']) fireEvent.keyDown(area, { key });
    expect(area.value).toBe('see @orders.ts ');
  });

  it('enters no folder of the earlier list with a slash', async () => {
    const give = findLater({ s: ['scripts/a.mjs'] });
    render(<Held />);
    await type('see @s');
    await give('s');
    await screen.findByRole('option', { name: /scripts\// });
    const area = await type('see @src');
    // Not handled: the character is typed.
    expect(fireEvent.keyDown(area, { key: '/' })).toBe(true);
    expect(area.value).toBe('see @src');
  });

  it('waits for the first list before Enter sends the message', async () => {
    const give = findLater({ ord: ['orders.ts'] });
    host.answers['thread.send'] = () => ok({ turnId: TurnId.parse('u1'), queued: false });
    render(<Held />);
    const area = await type('see @ord');
    fireEvent.keyDown(area, { key: 'Enter' });
    await give('ord');
    await waitFor(() => expect(area.value).toBe('see @orders.ts '));
    await type('@me');
    fireEvent.keyDown(area, { key: 'Enter' });
    expect(asked('thread.send')).toEqual([]);
    await give('me');
    await waitFor(() => expect(asked('thread.send')).toHaveLength(1));
  });

  it('forgets an early Enter when the text goes on', async () => {
    const give = findLater({ ord: ['orders.ts'], orde: ['orders.ts'] });
    render(<Held />);
    fireEvent.keyDown(await type('see @ord'), { key: 'Enter' });
    const area = await type('see @orde');
    await give('orde');
    await screen.findByRole('option', { name: /orders/ });
    expect(area.value).toBe('see @orde');
    expect(asked('thread.send')).toEqual([]);
  });

  it('keeps what stands below the command that summarizes the messages', async () => {
    host.answers['composer.commands'] = () =>
      ok({ commands: [{ kind: 'action', name: 'compact' }], coming: [] });
    host.answers['thread.compact'] = () => ok(null);
    render(<Held />);
    const area = await type('/c\nthen go on', 2);
    await screen.findByRole('option', { name: /compact/ });
    fireEvent.keyDown(area, { key: 'Enter' });
    await waitFor(() => expect(asked('thread.compact')).toHaveLength(1));
    await waitFor(() => expect(area.readOnly).toBe(false));
    expect(area.value.trim()).toBe('then go on');
  });

  it("puts a server's prompt below what was typed until it arrived", async () => {
    const prompt = later(ok({ text: 'Review the book.' }));
    host.answers['composer.prompt'] = prompt.answer;
    host.answers['composer.commands'] = () =>
      ok({
        commands: [
          {
            kind: 'prompt',
            name: 'trial:review',
            description: '',
            serverId: 's',
            prompt: 'review',
            arguments: [],
          },
        ],
        coming: [],
      });
    render(<Held />);
    const area = await type('/trial');
    await screen.findByRole('option', { name: /review/ });
    fireEvent.keyDown(area, { key: 'Enter' });
    await waitFor(() => expect(asked('composer.prompt')).toHaveLength(1));
    await type('Please do this:');
    await prompt.give();
    await waitFor(() => expect(area.value).toBe('Please do this:\nReview the book.'));
  });

  it('puts a queued message before what was typed until it was back', async () => {
    const withdrawing = later(ok({ text: 'later' }));
    host.answers['thread.withdraw'] = withdrawing.answer;
    render(<Held queue={[QueuedMessage.parse({ id: 'q1', text: 'later', at: 1 })]} />);
    fireEvent.click(await screen.findByRole('button', { name: 'Move back to the message field' }));
    const area = await type('and more');
    await withdrawing.give();
    await waitFor(() => expect(area.value).toBe('later\nand more'));
  });

  it('keeps the new text of a queued message that could not be saved', async () => {
    host.answers['thread.changeQueued'] = () => fail('storage', 'external', { text: 'The disk is full.' });
    render(<Held queue={[QueuedMessage.parse({ id: 'q1', text: 'later', at: 1 })]} />);
    fireEvent.click(await screen.findByRole('button', { name: /^later/ }));
    const words = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Queued message text' });
    fireEvent.change(await words(), { target: { value: 'later, and better' } });
    fireEvent.keyDown(await words(), { key: 'Enter' });
    await screen.findByText('The disk is full.');
    expect((await words()).value).toBe('later, and better');
  });
});
