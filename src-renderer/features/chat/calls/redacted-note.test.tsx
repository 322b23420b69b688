import { ThreadId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePort } from '../../../link';
import { type Answers, panelHost } from '../../../testing/panel-host';
import { SecretQuestion } from '../composer/secret-question';
import { RedactedNote } from './redacted-note';

const threadId = ThreadId.parse('t1');
const secret = {
  number: 1,
  kind: 'github-token' as const,
  places: [{ path: '/p/.env', line: 3, tool: 'read_file' }],
  allowed: false,
};
let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});
const Gate = () => (usePort().phase === 'ready' ? <RedactedNote threadId={threadId} numbers={[1]} /> : null);
async function open(answers: Answers) {
  const host = panelHost({}, answers);
  stop = host.stop;
  render(<Gate />);
  fireEvent.click(await screen.findByRole('button', { name: '1 secret redacted' }));
  return host;
}

it('counts what was redacted, and lists what and where; shows the value only on request', async () => {
  const host = await open({
    'secrets.list': () => ok({ secrets: [secret, { ...secret, number: 2 }], guarded: true }),
    'secrets.show': () => ok({ value: 'ghp_value' }),
    'secrets.allow': () => ok({}),
  });
  expect(await screen.findByText('/p/.env, line 3')).toBeDefined();
  expect(screen.queryByText('ghp_value')).toBe(null);
  fireEvent.click(screen.getByRole('button', { name: 'Show GitHub token #1' }));
  expect(await screen.findByText('ghp_value')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Allow GitHub token #1 for this thread' }));
  await vi.waitFor(() =>
    expect(host.asked('secrets.allow')).toEqual([{ threadId, number: 1, allowed: true }]),
  );
});

it("offers to send a message anyway, but never with one of Deepdesk's keys", () => {
  const onChoose = vi.fn();
  const { rerender } = render(<SecretQuestion kinds={['github-token']} onChoose={onChoose} />);
  fireEvent.click(screen.getByRole('button', { name: 'Send anyway' }));
  fireEvent.click(screen.getByRole('button', { name: 'Redact and send' }));
  expect(onChoose.mock.calls).toEqual([['send'], ['redact']]);
  rerender(<SecretQuestion kinds={['own']} onChoose={onChoose} />);
  expect(screen.queryByRole('button', { name: 'Send anyway' })).toBe(null);
});
