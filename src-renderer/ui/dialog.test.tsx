import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { Dialog } from './dialog';

afterEach(cleanup);

const Sample = () => {
  const [open, setOpen] = useState<'none' | 'first' | 'second'>('none');
  const close = (next: boolean) => !next && setOpen('none');
  return (
    <>
      <button type="button" onClick={() => setOpen('first')}>
        Open
      </button>
      <button type="button">Elsewhere</button>
      <Dialog open={open === 'first'} onOpenChange={close} title="First">
        <button type="button" onClick={() => setOpen('second')}>
          Next
        </button>
      </Dialog>
      <Dialog open={open === 'second'} onOpenChange={close} title="Second" />
    </>
  );
};

const button = (name: string) => screen.getByRole('button', { name, hidden: true });
const closeIt = (name: string) => fireEvent.keyDown(screen.getByRole('dialog', { name }), { key: 'Escape' });

it('returns the focus to what opened it', async () => {
  render(<Sample />);
  button('Open').focus();
  fireEvent.click(button('Open'));
  await screen.findByRole('dialog', { name: 'First' });
  expect(document.activeElement).not.toBe(button('Open'));
  closeIt('First');
  await waitFor(() => expect(document.activeElement).toBe(button('Open')));
});

it('returns the focus to what opened the dialog that opened it', async () => {
  render(<Sample />);
  button('Open').focus();
  fireEvent.click(button('Open'));
  const next = await screen.findByRole('button', { name: 'Next' });
  next.focus();
  fireEvent.click(next);
  await screen.findByRole('dialog', { name: 'Second' });
  closeIt('Second');
  await waitFor(() => expect(document.activeElement).toBe(button('Open')));
});

describe('a half-filled form', () => {
  const Form = ({ isNoDraft }: { isNoDraft?: true }) => {
    const [open, setOpen] = useState(true);
    const [isSent, setSent] = useState(false);
    return (
      <Dialog open={open} onOpenChange={setOpen} title="First">
        {!isSent && (
          <form
            data-no-draft={isNoDraft}
            onSubmit={(event) => {
              event.preventDefault();
              setSent(true);
            }}
          >
            <input aria-label="Name" defaultValue="old" autoFocus />
            <input aria-label="On" type="checkbox" />
            <button type="submit">Save</button>
          </form>
        )}
      </Dialog>
    );
  };
  const beside = async () => {
    // Radix listens from the next task on.
    await new Promise((done) => setTimeout(done));
    fireEvent.pointerDown(document.body);
    fireEvent.click(document.body);
    await new Promise((done) => setTimeout(done));
  };
  const field = () => screen.getByRole('textbox', { name: 'Name', hidden: true });
  const enter = (value: string) => fireEvent.input(field(), { target: { value } });
  const first = () => screen.queryByRole('dialog', { name: 'First', hidden: true });
  const question = () => screen.queryByRole('dialog', { name: 'Discard what you entered?' });

  it('stays open after a click beside the dialog', async () => {
    render(<Form />);
    enter('half');
    await beside();
    expect(first()).toBeTruthy();
    expect(question()).toBeNull();
    fireEvent.click(button('Save'));
    await beside();
    await waitFor(() => expect(first()).toBeNull());
  });

  it.each([
    ['Escape', () => closeIt('First')],
    ['the cross', () => fireEvent.click(button('Close'))],
  ])('asks before %s discards it', async (_how, close) => {
    render(<Form />);
    enter('half');
    close();
    fireEvent.click(button('Keep editing'));
    expect(question()).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(field()));
    expect(field()).toHaveProperty('value', 'half');
    close();
    fireEvent.keyDown(question() as HTMLElement, { key: 'Escape' });
    expect(question()).toBeNull();
    close();
    fireEvent.click(button('Discard'));
    await waitFor(() => expect(first()).toBeNull());
    expect(question()).toBeNull();
  });

  it('asks about a check mark, too', () => {
    render(<Form />);
    const box = screen.getByRole('checkbox');
    box.focus();
    fireEvent.click(box);
    closeIt('First');
    expect(question()).toBeTruthy();
  });

  it('closes at once if it is as it was, or no draft', async () => {
    const view = render(<Form />);
    enter('half');
    enter('old');
    closeIt('First');
    await waitFor(() => expect(first()).toBeNull());
    view.unmount();
    render(<Form isNoDraft />);
    enter('half');
    await beside();
    await waitFor(() => expect(first()).toBeNull());
  });
});
