import type { HostEvent } from '@contract/events';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { RemoteAgentsSection } from '../features/agents';
import { McpSection } from '../features/mcp';
import { PlacesSection } from '../features/places';
import { RoutinesPage } from '../features/routines';
import { ProjectChoice, usePort } from '../link';
import { type Answers, panelHost } from '../testing/panel-host';
import { sampleProject } from '../testing/samples';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const project = sampleProject({ id: 'p' });
let isBroken = false;
/** The answer, or an error while the list cannot be read. */
const unlessBroken =
  <T,>(value: T) =>
  () =>
    isBroken ? fail('storage', 'external', { text: 'The database is locked.' }) : ok(value);

const lists: [string, ReactNode, string, HostEvent, Answers][] = [
  [
    'MCP servers',
    <McpSection key="mcp" projectId={project.id} />,
    'Add server…',
    { type: 'mcp.changed', projectId: null },
    { 'mcp.list': unlessBroken({ servers: [], problems: [] }) },
  ],
  [
    'places',
    <PlacesSection key="places" />,
    'Add place…',
    { type: 'places.changed' },
    { 'places.list': unlessBroken({ places: [], keychain: true }) },
  ],
  [
    'remote agents',
    <RemoteAgentsSection key="agents" />,
    'Add remote agent…',
    { type: 'agents.changed' },
    { 'agents.list': unlessBroken({ agents: [], keychain: true }) },
  ],
  [
    'routines',
    <RoutinesPage key="routines" projectId={project.id} onShown={() => {}} />,
    'New routine…',
    { type: 'routines.changed' },
    { 'routines.list': unlessBroken({ routines: [], timeZone: 'UTC' }) },
  ],
];

it.each(lists)('keeps what is typed into the form of a list that is not read again: %s', async (...given) => {
  const [, section, add, changed, answers] = given;
  isBroken = false;
  const host = panelHost({ projects: [project] }, answers);
  stop = host.stop;
  const Shown = () =>
    usePort().phase === 'ready' ? <ProjectChoice first={project.id}>{section}</ProjectChoice> : null;
  const { container } = render(<Shown />);
  fireEvent.click(await screen.findByRole('button', { name: add }));
  const field = container.querySelector<HTMLInputElement>('form input:not([type])');
  fireEvent.change(field as HTMLInputElement, { target: { value: 'typed' } });
  isBroken = true;
  host.emit(changed);
  expect(await screen.findByText('The database is locked.')).toBeTruthy();
  expect(screen.getByDisplayValue('typed')).toBe(field);
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText('The database is locked.')).toBeNull());
  expect(screen.getByDisplayValue('typed')).toBe(field);
});
