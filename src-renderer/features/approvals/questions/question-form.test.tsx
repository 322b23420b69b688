import type { Approval, Decision, Preview } from '@contract/approvals';
import type { FormField } from '@contract/form';
import { ok } from '@contract/result';
import { because } from '@contract/shared/reasons';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start } from '../../../link';
import { type FakeHost, fakeHost } from '../../../testing/fake-host';
import { commandApproval } from '../../../testing/sample-approvals';
import { sampleApp } from '../../../testing/samples';
import { ApprovalCard } from '../approval-card';

let host: FakeHost;
let stop: () => void;
beforeEach(() => {
  host = fakeHost(sampleApp(), [], { 'thread.decide': () => ok({}) });
  stop = start(host.port);
});
afterEach(() => {
  cleanup();
  stop();
});

const field = (name: string, kind: FormField['kind'], more: Partial<FormField> = {}): FormField => ({
  ...{ name, label: name, description: '', required: false, options: [] },
  kind,
  ...more,
});
const options = ['red', 'green'].map((value) => ({ value, label: value.toUpperCase() }));

type Question = Extract<Preview, { kind: 'form' }>;
const asked = (question: Partial<Question>, more: Partial<Approval> = {}) =>
  commandApproval({
    tool: 'shop__order',
    preview: {
      ...{
        kind: 'form',
        server: 'shop',
        message: 'What may it be?',
        fields: [],
        url: null,
        asksSecret: false,
      },
      ...question,
    },
    reason: [because('mcp_server_asks')],
    risk: 'low',
    allowed: ['respond', 'reject'],
    ...more,
  });
/** Shows the card and waits until it takes decisions. */
const show = async (approval: Approval) => {
  const { container } = render(<ApprovalCard approval={approval} mount="/home/me" mac={false} />);
  await waitFor(() => expect(container.querySelector('form')?.getAttribute('aria-busy')).toBe('false'));
};
const decisions = () =>
  host.calls
    .filter(({ command }) => command === 'thread.decide')
    .map(({ input }) => (input as { decision: Decision }).decision);
const send = () => fireEvent.click(screen.getByRole('button', { name: /^Send answer to shop/ }));

describe('a form of a server', () => {
  it('sends its values in the types of their fields', async () => {
    await show(
      asked({
        fields: [
          field('name', 'text', { required: true, label: 'Your name' }),
          field('count', 'integer', { preset: 2 }),
          field('gift', 'boolean'),
          field('color', 'choice', { options }),
          field('sizes', 'choices', { options, preset: ['red'] }),
        ],
      }),
    );
    expect(screen.getByRole('heading').textContent).toBe('The MCP server shop asks');
    fireEvent.change(screen.getByLabelText('Your name'), { target: { value: 'Ada' } });
    fireEvent.click(screen.getByLabelText('gift'));
    fireEvent.change(screen.getByLabelText('color (optional)'), { target: { value: 'green' } });
    fireEvent.click(screen.getByLabelText('GREEN'));
    send();
    await waitFor(() => expect(decisions()).toHaveLength(1));
    const [decision] = decisions();
    expect(decision).toMatchObject({ type: 'respond' });
    expect(JSON.parse(decision?.type === 'respond' ? decision.text : '')).toEqual({
      ...{ name: 'Ada', count: 2, gift: true, color: 'green' },
      sizes: ['red', 'green'],
    });
  });

  it('says what is wrong, and sends nothing', async () => {
    await show(
      asked({
        fields: [
          field('name', 'text', { required: true }),
          field('mail', 'text', { format: 'email' }),
          field('age', 'integer', { min: 18, max: 99 }),
          field('code', 'text', { min: 4 }),
          field('count', 'integer'),
          field('sizes', 'choices', { options, max: 1, preset: ['red', 'green'] }),
        ],
      }),
    );
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText('Enter an email address.')).toBeTruthy();
    const given = { mail: 'nobody', age: '7', code: 'abc', count: '1.5' };
    for (const [name, value] of Object.entries(given))
      fireEvent.change(screen.getByLabelText(`${name} (optional)`), { target: { value } });
    send();
    expect(document.activeElement).toBe(screen.getByLabelText('name'));
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'This field is required.',
      'Enter an email address.',
      'The number must be from 18 to 99.',
      'The number of characters must be at least 4.',
      'Enter a whole number.',
      'The number of choices must be at most 1.',
    ]);
    expect(decisions()).toEqual([]);
  });

  it('is declined with its button, and not with Esc, which could lose what was typed', async () => {
    await show(asked({ fields: [field('name', 'text')] }));
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    fireEvent.keyDown(screen.getByLabelText('name (optional)'), { key: 'Escape' });
    expect(decisions()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(decisions()).toEqual([{ type: 'reject' }]));
  });

  it('warns before it asks for a secret', async () => {
    const reason = [because('mcp_server_asks'), because('mcp_server_asks_secret')];
    await show(asked({ fields: [field('token', 'text')], asksSecret: true }, { reason, risk: 'high' }));
    expect(screen.getByRole('dialog').textContent).toContain('It seems to ask for a secret');
  });

  it('keeps what is typed on the disk, but never a secret', async () => {
    const type = async (asksSecret: boolean) => {
      await show(
        asked(
          { fields: [field('token', 'text', { required: true })], asksSecret },
          { digest: `secret ${asksSecret}` },
        ),
      );
      fireEvent.change(screen.getByLabelText('token'), { target: { value: 'k-123' } });
      cleanup();
    };
    await type(true);
    expect(JSON.stringify({ ...localStorage })).not.toContain('k-123');
    await type(false);
    expect(JSON.stringify({ ...localStorage })).toContain('k-123');
  });

  it('shows the whole address of a page before it is opened', async () => {
    const url = 'https://example.com/confirm?order=7';
    await show(asked({ url }));
    expect(screen.getByRole('dialog').textContent).toContain(url);
    fireEvent.click(screen.getByRole('button', { name: /^Open page/ }));
    await waitFor(() => expect(decisions()).toEqual([{ type: 'respond', text: '{}' }]));
  });
});
