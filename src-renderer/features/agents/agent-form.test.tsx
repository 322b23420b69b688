import { fail } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { AgentForm } from './agent-form';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const FIELDS = {
  Name: 'researcher',
  'When to use it': 'Researches a topic.',
  'Server address': 'https://agents.example.com',
  'Graph or assistant': 'agent',
};
type Label = keyof typeof FIELDS;

it.each<[string, Label, string, string]>([
  ['a missing name', 'Name', '', 'Enter a name.'],
  ['an unusable name', 'Name', '-', 'Use letters, digits, - and _ for the name. It must start with'],
  ['a missing purpose', 'When to use it', '', 'Enter when to use the agent.'],
  ['a missing address', 'Server address', '', 'Enter the server address.'],
  ['an unusable address', 'Server address', 'ftp://x', 'The address must start with'],
  ['a missing graph', 'Graph or assistant', '', 'Enter the name of the graph'],
  ['a name that another one has', 'Name', 'researcher', 'researcher'],
])('says at its field what to correct, and focuses it: %s', async (_name, wrong, value, message) => {
  stop = panelHost(
    {},
    { 'agents.add': ({ draft }) => fail('conflict', 'remote_agent_name_taken', { name: draft.name }) },
  ).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <AgentForm agent={null} keychain onDone={() => undefined} onCancel={() => undefined} />
    ) : null;
  render(<Gate />);
  await screen.findByLabelText('Name');
  for (const [label, text] of Object.entries({ ...FIELDS, [wrong]: value }))
    fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
  fireEvent.click(screen.getByRole('button', { name: 'Add agent' }));
  const field = screen.getByLabelText(wrong);
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('alert').textContent).toContain(message);
  expect(screen.getByRole('alert').id).toBe(field.getAttribute('aria-describedby'));
});
