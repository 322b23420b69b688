import { RemoteAgentInfo } from '@contract/agents';
import { Rule } from '@contract/control';
import type { HostEvent } from '@contract/events';
import { PlaceId, ProjectId } from '@contract/ids';
import { McpServer } from '@contract/mcp';
import { DEFAULT_PLACE_POLICY, type PlaceInfo } from '@contract/places';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { RemoteAgentsSection } from '../features/agents';
import { RulesSection } from '../features/approvals';
import { McpSection } from '../features/mcp';
import { PlacesSection } from '../features/places';
import { ProjectChoice, usePort } from '../link';
import { type Answers, panelHost } from '../testing/panel-host';
import { sampleProject } from '../testing/samples';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const project = sampleProject();
const place: PlaceInfo = {
  ...{ id: PlaceId.parse('p1'), path: '/build/', projectId: null, policy: DEFAULT_PLACE_POLICY },
  options: { kind: 'ssh', host: 'me@server', folder: '/srv', hostKeys: [] },
  ...{ createdAt: 1, state: { phase: 'unused', since: 1, error: null } },
  ...{ hasSecret: true, runsCommands: true, isProject: false },
};
const agent = RemoteAgentInfo.parse({
  ...{ id: 'a1', name: 'researcher', description: 'Researches.', address: 'https://agents.example.com' },
  ...{ graph: 'agent', header: 'x-api-key', projectId: null, createdAt: 1, hasSecret: true },
});
const server = McpServer.parse({
  ...{ id: 'person:github', name: 'github', scope: 'person', source: '/data/mcp.json', digest: 'd' },
  setup: {
    ...{ transport: 'stdio', command: 'npx', args: [], cwd: '', url: '', secrets: ['TOKEN'], variables: [] },
    ...{ timeoutSeconds: 60, readable: 0 },
  },
  ...{ state: { phase: 'ready' }, account: null, tools: [], leftOut: [] },
});
const rule = Rule.parse({
  ...{ id: 'r1', createdAt: 1, effect: 'allow', scope: { kind: 'person' } },
  match: { kind: 'command', words: ['npm', 'test'], exact: false },
});

interface Case {
  section: ReactNode;
  /** What it lists: the entry and another one, until the entry is removed. */
  lists(isGone: () => boolean): Answers;
  event: HostEvent;
  edit: string;
  field: string;
  /** Answers that save again, and what they were asked. */
  refuses: Answers;
  saves: 'places.add' | 'agents.add' | 'mcp.save' | 'rules.save';
  again: object;
  note: string;
  hint?: string;
}

const cases: Record<string, Case> = {
  place: {
    section: <PlacesSection />,
    lists: (isGone) => ({
      'places.list': () =>
        ok({
          places: [...(isGone() ? [] : [place]), { ...place, id: PlaceId.parse('p2'), path: '/z/' }],
          keychain: true,
        }),
      'places.sshHosts': () => ok({ hosts: [] }),
    }),
    event: { type: 'places.changed' },
    edit: 'Edit…',
    field: 'Host',
    refuses: { 'places.edit': () => fail('not_found', 'place_gone') },
    saves: 'places.add',
    again: { draft: { path: '/build/', options: { host: 'typed' } }, secret: null },
    note: 'This place was removed while you edited it. Saving adds it again.',
    hint: 'The stored password was removed with the place. Enter it again.',
  },
  'remote agent': {
    section: <RemoteAgentsSection />,
    lists: (isGone) => ({
      'agents.list': () => {
        const other = RemoteAgentInfo.parse({ ...agent, id: 'a2', name: 'z' });
        return ok({ agents: [...(isGone() ? [] : [agent]), other], keychain: true });
      },
    }),
    event: { type: 'agents.changed' },
    edit: 'Edit…',
    field: 'Graph or assistant',
    refuses: { 'agents.edit': () => fail('not_found', 'remote_agent_gone') },
    saves: 'agents.add',
    again: { draft: { name: 'researcher', graph: 'typed' }, secret: null },
    note: 'This agent was removed while you edited it. Saving adds it again.',
    hint: 'The stored key was removed with the agent. Enter it again.',
  },
  server: {
    section: <McpSection projectId={null} />,
    lists: (isGone) => ({
      'mcp.list': () =>
        ok({
          servers: [...(isGone() ? [] : [server]), { ...server, id: 'person:z', name: 'z' }],
          problems: [],
        }),
    }),
    event: { type: 'mcp.changed', projectId: null },
    edit: 'Edit…',
    field: 'Program',
    refuses: {},
    saves: 'mcp.save',
    again: { draft: { name: 'github', previous: null, command: 'typed' } },
    note: 'This server was removed while you edited it. Saving adds it again. Enter the values of its variables or headers again.',
  },
  rule: {
    section: <RulesSection />,
    lists: () => ({
      'rules.preview': () => ok({ refused: null, checked: 0, covered: [], coveredCalls: 0, nearMiss: null }),
    }),
    event: { type: 'rules.changed', rules: [{ ...rule, id: 'r2' }] },
    edit: 'Change…',
    field: 'Command',
    refuses: {},
    saves: 'rules.save',
    again: { draft: { effect: 'allow', match: { kind: 'command', words: ['typed'] } } },
    note: 'This rule was revoked or replaced while you edited it. Saving adds yours.',
  },
};

describe.each(Object.entries(cases))('the open form of a %s that somebody removes', (kind, one) => {
  function open() {
    let isGone = false;
    const host = panelHost(
      { projects: [project], rules: [rule, { ...rule, id: 'r2' }] },
      {
        ...one.lists(() => isGone),
        ...one.refuses,
        'places.add': () => ok({ id: PlaceId.parse('new') }),
        'agents.add': () => ok({ id: RemoteAgentInfo.shape.id.parse('new') }),
        'mcp.save': ({ draft }) =>
          draft.previous === null
            ? ok({})
            : fail('not_found', 'server_removed_meanwhile', { name: 'github' }),
        'rules.save': ({ draft, replaces }) =>
          replaces === undefined
            ? ok(Rule.parse({ ...draft, id: 'new', createdAt: 1 }))
            : fail('not_found', 'rule_gone'),
      },
    );
    stop = host.stop;
    const Gate = () =>
      usePort().phase === 'ready' ? <ProjectChoice first={null}>{one.section}</ProjectChoice> : null;
    render(<Gate />);
    return {
      host,
      remove: () => {
        isGone = true;
        host.emit(one.event);
      },
    };
  }
  const edit = async () => {
    const [first] = await screen.findAllByRole('button', { name: one.edit });
    if (first === undefined) throw new Error('There is nothing to edit.');
    fireEvent.click(first);
    const field = await screen.findByLabelText(one.field);
    fireEvent.change(field, { target: { value: 'typed' } });
    return field;
  };
  const form = () => {
    const found = screen.getByText(one.note).closest('form');
    if (found === null) throw new Error('The note is in no form.');
    return found;
  };
  const save = async () => {
    const button = within(form()).getByRole<HTMLButtonElement>('button', { name: /^Save/ });
    await waitFor(() => expect(button.disabled).toBe(false));
    fireEvent.click(button);
  };

  it('keeps what was typed, says so, and saves it as a new one', async () => {
    const { host, remove } = open();
    const field = await edit();
    remove();
    await screen.findByText(one.note);
    expect(screen.getByLabelText(one.field)).toBe(field);
    expect(field).toHaveProperty('value', 'typed');
    if (one.hint !== undefined) expect(screen.getByText(one.hint)).toBeTruthy();
    await save();
    await waitFor(() => expect(screen.queryByText(one.note)).toBeNull());
    expect(host.asked(one.saves)).toMatchObject([one.again]);
    expect(screen.queryByLabelText(one.field)).toBeNull();
    // The other one stays.
    expect(screen.getAllByRole('button', { name: one.edit })).toHaveLength(1);
  });

  it('finds out when saving, and says so', async () => {
    const { host } = open();
    await edit();
    const button = screen.getByRole<HTMLButtonElement>('button', {
      name: kind === 'rule' ? 'Save rule' : /^Save (place|agent|server)$/,
    });
    await waitFor(() => expect(button.disabled).toBe(false));
    fireEvent.click(button);
    await screen.findByText(one.note);
    await save();
    await waitFor(() => expect(screen.queryByText(one.note)).toBeNull());
    expect(host.asked(one.saves).at(-1)).toMatchObject(one.again);
  });
});

it('restores the project of a remote folder that was removed meanwhile, and saves the connection', async () => {
  const home = { ...place, isProject: true, projectId: ProjectId.parse('p1') };
  let places = [home];
  const host = panelHost(
    { projects: [project] },
    {
      'places.list': () => ok({ places, keychain: true }),
      'places.sshHosts': () => ok({ hosts: [] }),
      'project.restore': () => ok(project),
      'places.editProject': () => ok({}),
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <ProjectChoice first={null}>
        <PlacesSection />
      </ProjectChoice>
    ) : null;
  render(<Gate />);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit…' }));
  fireEvent.change(await screen.findByLabelText('Host'), { target: { value: 'typed' } });
  places = [];
  host.emit({ type: 'places.changed' });
  await screen.findByText('The project of this folder was removed while you edited it. Saving restores it.');
  fireEvent.click(screen.getByRole('button', { name: 'Save place' }));
  await waitFor(() => expect(screen.queryByLabelText('Host')).toBeNull());
  expect(host.asked('project.restore')).toEqual([{ projectId: 'p1' }]);
  expect(host.asked('places.editProject')).toMatchObject([{ id: 'p1', options: { host: 'typed' } }]);
});
