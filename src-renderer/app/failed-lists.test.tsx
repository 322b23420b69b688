import type { HostEvent } from '@contract/events';
import type { HooksState } from '@contract/hooks';
import { ThreadId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { RemoteAgentsSection, RemoteTasks } from '../features/agents';
import { HooksSection } from '../features/hooks';
import { InboxPanel } from '../features/inbox';
import { McpSection } from '../features/mcp';
import { MemoryHistory } from '../features/memories/memory-history';
import { PlacesSection } from '../features/places';
import { PlaceCalls } from '../features/places/place-calls';
import { PlanPanel } from '../features/plan';
import { RoutinesPage } from '../features/routines';
import { InstructionsSection } from '../features/settings/instructions-section';
import { Licenses } from '../features/settings/licenses';
import { ModelFactsForm } from '../features/settings/model-facts-form';
import { SandboxSection } from '../features/settings/sandbox-section';
import { UsageSection } from '../features/usage';
import { Inspector } from '../features/usage/inspector';
import { ProjectChoice, usePort } from '../link';
import { type Answers, panelHost } from '../testing/panel-host';
import { commandApproval } from '../testing/sample-approvals';
import { sampleProject, sampleThread } from '../testing/samples';

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

const noHooks: HooksState = {
  phase: 'none',
  source: 'hooks.json',
  why: null,
  text: '',
  scripts: [],
  digest: '',
  hooks: [],
};

/** The sections that show nothing until they are loaded. */
const loads: [string, ReactNode, Answers][] = [
  ['hooks', <HooksSection key="hooks" />, { 'hooks.list': unlessBroken(noHooks) }],
  [
    'the inbox',
    <InboxPanel
      key="inbox"
      approvalId={null}
      headingOf={() => ''}
      renderCard={() => null}
      onShowThread={() => {}}
      onClose={() => {}}
    />,
    { 'inbox.list': unlessBroken({ waiting: [] }) },
  ],
  [
    'tasks of remote agents',
    <RemoteTasks key="tasks" threadId={ThreadId.parse('t')} />,
    { 'agents.tasks': unlessBroken({ tasks: [] }) },
  ],
  [
    'what was sent to the model',
    <Inspector key="inspector" threadId={ThreadId.parse('t')} open onOpenChange={() => {}} />,
    { 'thread.inspect': unlessBroken({ requests: [] }) },
  ],
  [
    'the calls of a place',
    <PlaceCalls key="calls" owner={project.id} name="api" />,
    { 'places.calls': unlessBroken({ calls: [] }) },
  ],
  [
    'the versions of a memory',
    <MemoryHistory key="history" path="/memories/a.md" onClose={() => {}} />,
    { 'memories.versions': unlessBroken({ versions: [] }) },
  ],
  [
    'the sandbox',
    <SandboxSection key="sandbox" hosts={() => null} />,
    {
      'sandbox.read': unlessBroken({
        kind: null,
        reason: null,
        hosts: [],
        hidden: [],
        writable: [],
      } as never),
    },
  ],
  [
    'instructions',
    <InstructionsSection key="instructions" />,
    { 'profiles.read': unlessBroken({ builtIn: { systemPrompt: '', tools: [] }, profiles: {} } as never) },
  ],
  [
    'details of a model',
    <ModelFactsForm key="facts" />,
    {
      'models.facts': unlessBroken({
        builtIn: { contextWindow: null, maxOutput: null, price: null },
      } as never),
    },
  ],
  ['licenses', <Licenses key="licenses" />, { 'app.licenses': unlessBroken({ packages: [], texts: [] }) }],
  ['usage', <UsageSection key="usage" />, { 'usage.report': unlessBroken({ rows: [] }) }],
  [
    'a thread',
    <PlanPanel key="plan" threadId={ThreadId.parse('t')} />,
    { 'thread.open': unlessBroken(sampleThread()) },
  ],
];

it.each(loads)('offers to try again what could not be loaded: %s', async (_name, section, answers) => {
  isBroken = true;
  const host = panelHost({ projects: [project] }, answers);
  stop = host.stop;
  const Shown = () =>
    usePort().phase === 'ready' ? <ProjectChoice first={project.id}>{section}</ProjectChoice> : null;
  render(<Shown />);
  expect(await screen.findByText('The database is locked.')).toBeTruthy();
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText('The database is locked.')).toBeNull());
});

it('keeps the decisions on the screen while the inbox cannot be read again', async () => {
  isBroken = false;
  const waiting = [{ approval: commandApproval(), projectId: project.id, title: 'Fix the test' }];
  const host = panelHost({ projects: [project] }, { 'inbox.list': unlessBroken({ waiting }) });
  stop = host.stop;
  const Shown = () =>
    usePort().phase === 'ready' ? (
      <InboxPanel
        approvalId={null}
        headingOf={() => 'Run it'}
        renderCard={() => <p>the card</p>}
        onShowThread={() => {}}
        onClose={() => {}}
      />
    ) : null;
  render(<Shown />);
  const card = await screen.findByText('the card');
  isBroken = true;
  host.emit({ type: 'project.removed', projectId: project.id });
  expect(await screen.findByText('The database is locked.')).toBeTruthy();
  expect(screen.getByText('the card')).toBe(card);
});
