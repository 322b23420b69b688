import type { Attachment } from '@contract/attachments';
import { LONG_PASTE, MAX_ATTACHMENT, MAX_ATTACHMENTS, MAX_INSERTED } from '@contract/limits';
import { fail, ok } from '@contract/result';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onIntent } from '../../../link';
import { giveElementsSize } from '../../../testing/layout';
import {
  attachment,
  field,
  Held,
  host,
  paste,
  sent,
  startComposer,
  stopComposer,
  threadId,
  type,
} from './testing/composer-with-host';

giveElementsSize();
beforeEach(startComposer);
afterEach(stopComposer);

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

  describe('when a message is sent before its attachment has arrived', () => {
    let arrive: (answer: ReturnType<typeof ok<Attachment>> | ReturnType<typeof fail>) => void;
    beforeEach(async () => {
      host.answers['attachments.add'] = () => new Promise((resolve) => (arrive = resolve));
      render(<Held />);
      await paste('', [new File(['x'], 'plan.md')]);
      fireEvent.keyDown(await type('Read this'), { key: 'Enter' });
      expect((await screen.findByRole('status')).textContent).toBe('Sends when the attachments are ready');
      await waitFor(() => expect(host.calls.some(({ command }) => command === 'attachments.add')).toBe(true));
      expect(sent()).toEqual([]);
    });

    it('is sent with it', async () => {
      arrive(ok(attachment('a', { name: 'plan.md' })));
      await waitFor(() =>
        expect(sent()).toMatchObject([{ text: 'Read this', attachments: [{ name: 'plan.md' }] }]),
      );
      expect(screen.queryByRole('status')).toBeNull();
    });

    it('stays if it does not arrive', async () => {
      arrive(fail('not_found', 'external', { text: 'It is gone.' }));
      await screen.findByRole('alert');
      await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
      expect([(await field()).value, sent()]).toEqual(['Read this', []]);
    });

    it('stays if the person goes on writing', async () => {
      await type('Read this and');
      await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
      arrive(ok(attachment('a', { name: 'plan.md' })));
      await screen.findByRole('button', { name: 'Remove plan.md' });
      expect([(await field()).value, sent()]).toEqual(['Read this and', []]);
    });
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
