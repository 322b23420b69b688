import { ProviderState } from '@contract/app';
import { ProjectId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { onIntent, type SettingsSection, usePort, useProjectChoice } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { Choice } from '../../ui';
import { SettingsDialog } from './settings-dialog';

const KEY = 'sk-secret-1234567890';
const provider = ProviderState.parse({
  id: 'anthropic',
  needsKey: true,
  key: 'none',
  baseUrl: null,
  needsBaseUrl: false,
  ready: false,
  models: [],
});
const models = { providers: [provider], keychain: false, overrides: {} };

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const Gate = ({ section }: { section: SettingsSection }) =>
  usePort().phase === 'ready' ? (
    <SettingsDialog section={section} onSection={() => {}} mcp={null} projectId={null} />
  ) : null;
function open(
  answers: Answers,
  section: SettingsSection = 'models',
  known: typeof held | typeof models = models,
) {
  const host = panelHost({ models: known }, answers);
  stop = host.stop;
  render(<Gate section={section} />);
  return host;
}
const enterKey = async () => {
  fireEvent.click(await screen.findByRole('button', { name: 'Enter key…' }));
  const field = screen.getByLabelText<HTMLInputElement>('Key for Anthropic');
  fireEvent.change(field, { target: { value: KEY } });
  fireEvent.click(screen.getByRole('button', { name: 'Save key' }));
  return field;
};

it('sends the key without ever showing it', async () => {
  const host = open({ 'models.setKey': () => ok({}) });
  const field = await enterKey();
  expect(field.type).toBe('password');
  await waitFor(() => expect(screen.queryByLabelText('Key for Anthropic')).toBeNull());
  expect(host.asked('models.setKey')).toEqual([{ provider: 'anthropic', key: KEY }]);
  expect(field.value).toBe('');
  expect(document.documentElement.outerHTML).not.toContain(KEY);
});

it('keeps the field for another try, and says why the key was refused', async () => {
  open({
    'models.setKey': () =>
      fail('storage', 'external', { text: 'The keychain is locked. Unlock it and save again.' }),
  });
  const field = await enterKey();
  expect(await screen.findByText('The keychain is locked. Unlock it and save again.')).toBeTruthy();
  expect([field.value, field.isConnected]).toEqual([KEY, true]);
});

it('says that keys last until Deepdesk is closed if there is no keychain', async () => {
  open({});
  expect(await screen.findByText(/keys last until you close it/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Enter key…' }));
  expect(screen.getByText(/the key lasts until you quit Deepdesk/)).toBeTruthy();
});

it('can turn off notifications of pending decisions', async () => {
  const host = open(
    { 'settings.change': () => fail('storage', 'external', { text: 'The disk is full.' }) },
    'notifications',
  );
  const box = await screen.findByRole<HTMLInputElement>('checkbox', {
    name: /^Notify me when the agent needs approval/,
  });
  expect(box.checked).toBe(true);
  fireEvent.click(box);
  await waitFor(() => expect(host.asked('settings.change')).toEqual([{ notifications: false }]));
  expect(await screen.findByText('The disk is full.')).toBeTruthy();
});

const held = { ...models, providers: [{ ...provider, key: 'keychain' as const, ready: true }] };

async function removeKey(): Promise<void> {
  fireEvent.keyDown(await screen.findByRole('button', { name: 'More actions for Anthropic' }), {
    key: 'Enter',
  });
  fireEvent.click(screen.getByRole('menuitem', { name: 'Remove key' }));
}

it('restores a removed key, which the window never has', async () => {
  const host = open({ 'models.setKey': () => ok({}), 'models.undo': () => ok({}) }, 'models', held);
  await removeKey();
  expect(await screen.findByText('Changed: Key for Anthropic')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Undone: Key for Anthropic')).toBeTruthy();
  expect(host.asked('models.setKey')).toEqual([{ provider: 'anthropic', key: null }]);
  cleanup();
  expect(host.asked('models.undo')).toEqual([{ provider: 'anthropic', what: 'key', back: true }]);
});

it('deletes a removed key for good when the offer is dismissed', async () => {
  const host = open({ 'models.setKey': () => ok({}), 'models.undo': () => ok({}) }, 'models', held);
  await removeKey();
  fireEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
  await waitFor(() =>
    expect(host.asked('models.undo')).toEqual([{ provider: 'anthropic', what: 'key', back: false }]),
  );
  expect(screen.queryByText('Changed: Key for Anthropic')).toBeNull();
});

const projects = ['my-api', 'my-site'].map((name) =>
  sampleProject({ id: name, name, folder: `/home/me/${name}` }),
);
const OneOf = () => {
  const { project, options, choose } = useProjectChoice();
  return project ? <Choice label="Project" value={project.id} options={options} onChange={choose} /> : null;
};
const Sections = () => {
  const [section, setSection] = useState<SettingsSection | null>('rules');
  const first = ProjectId.parse('my-site');
  return usePort().phase === 'ready' ? (
    <SettingsDialog section={section} onSection={setSection} mcp={null} projectId={first} rules={<OneOf />} />
  ) : null;
};

it('covers one project: the current one, or the one chosen in any section', async () => {
  const host = panelHost(
    { projects },
    {
      'sandbox.read': () =>
        ok({ kind: 'bubblewrap', reason: null, noHosts: null, hidden: [], readOnly: [] } as const),
    },
  );
  stop = host.stop;
  render(<Sections />);
  expect(await screen.findByText(/^In my-site, Deepdesk replaces keys/)).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Project'), { target: { value: 'my-api' } });
  expect(screen.getByText(/^In my-api, Deepdesk replaces keys/)).toBeTruthy();
  fireEvent.click(screen.getByRole('tab', { name: 'Sandbox' }));
  expect((await screen.findByLabelText<HTMLSelectElement>('Project')).value).toBe('my-api');
});

const WithForm = () => {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <form>
      <input aria-label="Server name" />
    </form>
  ) : (
    <button type="button" onClick={() => setOpen(true)}>
      Add server
    </button>
  );
};
const TwoSections = () => {
  const [section, setSection] = useState<SettingsSection | null>('mcp');
  return usePort().phase === 'ready' ? (
    <SettingsDialog section={section} onSection={setSection} mcp={<WithForm />} projectId={null} />
  ) : null;
};

it('keeps a half-filled form while another section is open, and nothing else', async () => {
  stop = panelHost({}, {}).stop;
  render(<TwoSections />);
  const go = (name: string) => fireEvent.click(screen.getByRole('tab', { name }));
  const add = () => screen.queryByRole('button', { name: 'Add server' });
  await screen.findByRole('button', { name: 'Add server' });
  go('Notifications');
  expect(document.querySelector('[data-section=mcp]')).toBeNull();
  go('MCP servers');
  fireEvent.click(add() as HTMLElement);
  fireEvent.change(screen.getByRole('textbox', { name: 'Server name' }), { target: { value: 'mail' } });
  go('Notifications');
  expect(screen.queryByRole('textbox', { name: 'Server name' })).toBeNull();
  go('MCP servers');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Server name' }).value).toBe('mail');
});

it('announces a change once, in the undo bar and not in a toast too', async () => {
  const told: unknown[] = [];
  const undo = onIntent((intent) => told.push(intent));
  open({ 'models.setKey': () => ok({}), 'models.undo': () => ok({}) });
  await enterKey();
  expect(await screen.findByText('Changed: Key for Anthropic')).toBeTruthy();
  expect(told).toEqual([]);
  undo();
});

it('undoes changed instructions', async () => {
  const profiles: Record<string, { systemPromptSuffix?: string }> = {};
  const builtIn = { systemPrompt: 'Built in.', tools: [] };
  const host = panelHost(
    { models },
    {
      'profiles.read': () => ok({ profiles: { ...profiles }, builtIn }),
      'profiles.change': ({ scope, profile }) => {
        if (profile === null) delete profiles[scope];
        else profiles[scope] = { systemPromptSuffix: profile.systemPromptSuffix ?? '' };
        return ok({});
      },
    },
  );
  stop = host.stop;
  render(<Gate section="instructions" />);
  const suffix = () => screen.getByLabelText<HTMLTextAreaElement>('Appended text');
  fireEvent.change(await screen.findByLabelText('Appended text'), { target: { value: 'Be brief.' } });
  fireEvent.blur(screen.getByLabelText('Appended text'));
  expect(await screen.findByText('Changed: Instructions (All models)')).toBeTruthy();
  expect(suffix().value).toBe('Be brief.');
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(suffix().value).toBe(''));
  expect(profiles).toEqual({});
});
