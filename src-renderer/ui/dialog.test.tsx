import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
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

it('stays open after a click beside it while a form in it is half filled', async () => {
  const Form = () => {
    const [open, setOpen] = useState(true);
    const [isSent, setSent] = useState(false);
    return (
      <Dialog open={open} onOpenChange={setOpen} title="First">
        {!isSent && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              setSent(true);
            }}
          >
            <input aria-label="Name" />
            <button type="submit">Save</button>
          </form>
        )}
      </Dialog>
    );
  };
  render(<Form />);
  const beside = async () => {
    // Radix listens from the next task on.
    await new Promise((done) => setTimeout(done));
    fireEvent.pointerDown(document.body);
    fireEvent.click(document.body);
    await new Promise((done) => setTimeout(done));
  };
  fireEvent.input(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'half' } });
  await beside();
  expect(screen.getByRole('dialog', { name: 'First' })).toBeTruthy();
  fireEvent.click(button('Save'));
  await beside();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
