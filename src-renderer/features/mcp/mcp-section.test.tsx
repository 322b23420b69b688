import { McpServer } from '@contract/mcp';
import { fail, ok } from '@contract/result';
import { because } from '@contract/shared/reasons';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { usePort } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { McpSection } from './mcp-section';

const SECRET = 'ghp_abcdefgh12345678';
const setup = {
  transport: 'stdio' as const,
  command: 'npx',
  args: ['-y', 'server-github'],
  cwd: '',
  url: '',
  secrets: ['GITHUB_TOKEN'],
  variables: [],
  timeoutSeconds: 60,
  readable: 0,
};
const server = (more: Partial<McpServer>) =>
  McpServer.parse({
    id: `person:${more.name ?? 'github'}`,
    name: 'github',
    scope: 'person',
    source: '/data/mcp.json',
    setup,
    digest: 'd1',
    state: { phase: 'ready' },
    account: null,
    tools: [],
    leftOut: [],
    ...more,
  });
const project = {
  id: 'p1',
  name: 'sums',
  folder: '/home/me/sums',
  mount: '/home/me/sums',
  isSample: false,
  openedAt: 0,
  missing: false,
};

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

function open(servers: () => McpServer[], answers: Answers = {}) {
  const host = panelHost(
    { projects: [project] as never },
    { 'mcp.list': () => ok({ servers: servers(), problems: [] }), ...answers },
  );
  stop = host.stop;
  const Gate = () => (usePort().phase === 'ready' ? <McpSection projectId={project.id as never} /> : null);
  render(<Gate />);
  return host;
}
const click = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

it.each([
  ['/.mcp.json', "This folder doesn't define any servers.", 'No MCP servers yet.'],
  ['', 'No MCP servers yet.', "This folder doesn't define any servers."],
])('does not say of a file with a mistake that it has no servers: %j', async (below, hidden, said) => {
  const source = below === '' ? '/data/mcp.json' : `${project.folder}${below}`;
  const why = because('json_at', { line: 3, column: 28 });
  open(() => [], { 'mcp.list': () => ok({ servers: [], problems: [{ source, why }] }) });
  const note = await screen.findByText(/line 3, column 28/);
  expect(note.textContent).toContain(
    `The MCP servers in ${source} were left out. The file is not valid JSON`,
  );
  expect([screen.queryByText(hidden), screen.queryAllByText(said).length]).toEqual([null, 1]);
});

it("shows each server's state, its tools, skipped items and the last output of a failed server", async () => {
  const tool = { title: 'echo', description: 'Says it again.', saysReadOnly: true, saysDestructive: false };
  open(() => [
    server({
      tools: [{ name: 'github__echo', ...tool }],
      leftOut: [{ name: 'odd', why: because('mcp_tool_schema') }],
    }),
    server({
      name: 'mail',
      state: { phase: 'failed', why: [because('mcp_exited', { status: '1' })], lines: ['no database'] },
    }),
    server({ name: 'calm', state: { phase: 'off' } }),
  ]);
  const item = async (name: string) => within(await screen.findByRole('listitem', { name }));
  const github = await item('github');
  expect(github.getByRole('status').textContent).toBe('Ready');
  expect(github.getByText('github__echo')).toBeTruthy();
  expect(github.getByText('Server says: read-only')).toBeTruthy();
  expect(github.getByText(/schema of its arguments is invalid/)).toBeTruthy();
  const mail = await item('mail');
  expect(mail.getByRole('alert').textContent).toContain(
    'It exited (code 1). Read its output under Details, and fix the cause. Then restart the server.',
  );
  expect(mail.getByText('no database')).toBeTruthy();
  expect((await item('calm')).getByRole('button', { name: 'Turn on' })).toBeTruthy();
});

it("follows a server's events", async () => {
  let state: McpServer['state'] = { phase: 'starting' };
  const host = open(() => [server({ state })]);
  expect((await screen.findByRole('status')).textContent).toBe('Starting…');
  state = { phase: 'ready' };
  host.emit({ type: 'mcp.changed', projectId: null });
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Ready'));
});

it('asks for consent to exactly what would be started, including hidden characters', async () => {
  const theirs = server({
    name: 'evil',
    id: 'project:evil',
    scope: 'project',
    digest: 'exact',
    state: { phase: 'consent' },
    setup: { ...setup, args: ['-y', 'safe\u202eevil', 'a\nb'], variables: ['ANTHROPIC_API_KEY'] },
  });
  const host = open(() => [theirs], { 'mcp.consent': () => ok({}) });
  expect(
    await screen.findByText(/With these variables from your environment: ANTHROPIC_API_KEY/),
  ).toBeTruthy();
  const shown = document.querySelector('pre')?.textContent;
  expect(shown).toBe('npx\n  -y\n  safe\\u202eevil\n  a\\nb');
  await click('Allow server');
  await waitFor(() =>
    expect(host.asked('mcp.consent')).toEqual([
      { projectId: 'p1', id: 'project:evil', digest: 'exact', allowed: true },
    ]),
  );
});

it('sends a value without showing it, and keeps unchanged values', async () => {
  const host = open(() => [server({})], { 'mcp.save': () => ok({}) });
  await click('Edit…');
  type('Arguments', '-y\nserver-github@2');
  await click('Add');
  type('Name 2', 'OTHER');
  type('Value of OTHER', SECRET);
  await click('Save server');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save server' })).toBeNull());
  expect(host.asked('mcp.save')).toEqual([
    {
      draft: {
        name: 'github',
        previous: 'github',
        transport: 'stdio',
        command: 'npx',
        args: ['-y', 'server-github@2'],
        cwd: '',
        url: '',
        secrets: [
          { name: 'GITHUB_TOKEN', value: null },
          { name: 'OTHER', value: SECRET },
        ],
        timeoutSeconds: 60,
      },
    },
  ]);
  expect(document.documentElement.outerHTML).not.toContain(SECRET);
});

it('offers to move plain-text secrets out of the file, and reports when it is done', async () => {
  let readable = 2;
  const host = open(
    () => [
      server({ setup: { ...setup, readable } }),
      server({ name: 'calm', setup: { ...setup, args: ['serve'] } }),
    ],
    {
      'mcp.keepSecrets': () => {
        readable = 0;
        return ok({});
      },
    },
  );
  expect(await screen.findByText(/^2 values in \/data\/mcp\.json look like secrets/)).toBeTruthy();
  await click('Move to keychain');
  await waitFor(() => expect(screen.queryByText(/look like secrets/)).toBeNull());
  expect(host.asked('mcp.keepSecrets')).toEqual([{ name: 'github' }]);
});

it('says what to correct, and keeps the input', async () => {
  const host = open(() => [], {
    'mcp.save': () => fail('conflict', 'external', { text: 'You have a server named "github" already.' }),
  });
  await click('Add server…');
  await click('Save server');
  expect(await screen.findByText('Enter a name.')).toBeTruthy();
  expect(host.asked('mcp.save')).toEqual([]);
  type('Name', 'github');
  type('Program', 'npx');
  await click('Save server');
  expect(await screen.findByText('You have a server named "github" already.')).toBeTruthy();
  expect(screen.getByDisplayValue('npx')).toBeTruthy();
});

it('says at its field what to correct, focuses it, and is silent once something is typed', async () => {
  let answer = fail('invalid', 'server_program_missing');
  open(() => [], { 'mcp.save': () => answer });
  await click('Add server…');
  const isAt = async (label: string, error: string) => {
    const field = screen.getByLabelText(label);
    await waitFor(() => expect(document.activeElement).toBe(field));
    const note = document.getElementById(field.getAttribute('aria-describedby') ?? '');
    expect(note?.textContent).toBe(error);
    expect(screen.getAllByRole('alert')).toEqual([note]);
  };
  await click('Save server');
  await isAt('Name', 'Enter a name.');
  fireEvent.input(screen.getByLabelText('Name'), { target: { value: 'github' } });
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  type('Call timeout in seconds', 'soon');
  await click('Save server');
  await isAt('Call timeout in seconds', 'Enter a whole number from 1 to 3,600.');
  type('Call timeout in seconds', '60');
  await click('Save server');
  await isAt('Program', 'Enter the program to start.');
  answer = fail('conflict', 'server_exists', { name: 'github' });
  await click('Save server');
  await isAt('Name', 'You already have a server named “github”.');
  await click('Add');
  await click('Save server');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name 1')));
  expect(screen.getByRole('alert').textContent).toBe('Enter a name for each value.');
});

it('signs in only on request, and reports the result', async () => {
  let one = server({ name: 'mail', state: { phase: 'signIn', problem: null } });
  const host = open(() => [one], { 'mcp.signIn': () => ok({}), 'mcp.cancelSignIn': () => ok({}) });
  const to = (next: McpServer) => {
    one = next;
    host.emit({ type: 'mcp.changed', projectId: null });
  };
  expect((await screen.findByRole('status')).textContent).toBe('Sign-in required');
  expect(host.asked('mcp.signIn')).toEqual([]);
  await click('Sign in…');
  await waitFor(() => expect(host.asked('mcp.signIn')).toEqual([{ projectId: null, id: 'person:mail' }]));

  to(server({ name: 'mail', state: { phase: 'signingIn', at: 'login.example' } }));
  expect(await screen.findByText(/Sign in at login\.example/)).toBeTruthy();
  await click('Cancel sign-in');
  await waitFor(() => expect(host.asked('mcp.cancelSignIn')).toHaveLength(1));

  to(server({ name: 'mail', state: { phase: 'signIn', problem: fail('denied', 'sign_in_refused').error } }));
  expect(await screen.findByText('The sign-in was refused.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Sign in…' })).toBeTruthy();
});

it('shows the signed-in account, and signs out', async () => {
  const host = open(
    () => [
      server({ name: 'mail', account: { at: 'login.example', as: 'me@example.com' } }),
      server({ name: 'maps', account: { at: 'maps.example', as: null } }),
    ],
    { 'mcp.signOut': () => ok({}) },
  );
  expect(await screen.findByText('Signed in at login.example as me@example.com')).toBeTruthy();
  expect(screen.getByText('Signed in at maps.example')).toBeTruthy();
  fireEvent.click(
    within(screen.getByRole('listitem', { name: 'mail' })).getByRole('button', { name: 'Sign out' }),
  );
  await waitFor(() => expect(host.asked('mcp.signOut')).toEqual([{ projectId: null, id: 'person:mail' }]));
});

it('removes a server only after a confirmation', async () => {
  const host = open(() => [server({})], { 'mcp.remove': () => ok({}) });
  fireEvent.keyDown(await screen.findByRole('button', { name: /^More actions/ }), { key: 'Enter' });
  fireEvent.click(screen.getByRole('menuitem', { name: 'Remove' }));
  expect(host.asked('mcp.remove')).toEqual([]);
  await click('Remove');
  await waitFor(() => expect(host.asked('mcp.remove')).toEqual([{ name: 'github' }]));
});

it('shows no error after the person declined the question of the system', async () => {
  const theirs = server({
    id: 'project:theirs',
    name: 'theirs',
    scope: 'project',
    state: { phase: 'consent' },
  });
  const host = open(() => [theirs], { 'mcp.consent': () => fail('cancelled', 'you_cancelled') });
  fireEvent.click(await screen.findByRole('button', { name: 'Allow server' }));
  await waitFor(() => expect(host.asked('mcp.consent')).toHaveLength(1));
  await new Promise((done) => setTimeout(done));
  // Only the question itself.
  expect(screen.getAllByRole('alert')).toHaveLength(1);
});
