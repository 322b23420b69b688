import { Project } from '@contract/app';
import { Rule } from '@contract/control';
import { fail, ok } from '@contract/result';
import type { SandboxDetails } from '@contract/sandbox';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { ProjectChoice, usePort } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { SandboxSection } from './sandbox-section';

const project = Project.parse({
  id: 'p1',
  name: 'my-api',
  folder: '/home/me/my-api',
  mount: '/home/me/my-api',
  isSample: false,
  openedAt: 1,
  missing: false,
});
const npm = Rule.parse({
  id: 'r1',
  createdAt: 1,
  effect: 'allow',
  match: { kind: 'host', host: 'registry.npmjs.org' },
  scope: { kind: 'project', projectId: 'p1' },
});
const there: SandboxDetails = {
  kind: 'bubblewrap',
  reason: null,
  noHosts: null,
  hidden: ['/home/me/.ssh'],
  readOnly: ['.git/hooks'],
};

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});
const Gate = () =>
  usePort().phase === 'ready' ? (
    <ProjectChoice first={null}>
      <SandboxSection />
    </ProjectChoice>
  ) : null;
function open(details: SandboxDetails, answers: Answers = {}) {
  const host = panelHost(
    { projects: [project], rules: [npm] },
    { 'sandbox.read': () => ok(details), ...answers },
  );
  stop = host.stop;
  render(<Gate />);
  return host;
}

describe('the page about the sandbox', () => {
  it('says what there is, what is hidden and what stays as it is', async () => {
    open(there);
    expect((await screen.findByRole('status')).textContent).toBe(
      'Commands can be confined here, by bubblewrap.',
    );
    expect(screen.getByRole('list', { name: 'Hidden from commands' }).textContent).toBe('/home/me/.ssh');
    expect(screen.getByRole('list', { name: 'Kept as it is in the project folder' }).textContent).toBe(
      '.git/hooks',
    );
  });

  it('says why there is none, and offers nothing then', async () => {
    open({ ...there, kind: null, reason: 'bubblewrap is not installed.', noHosts: '', hidden: [] });
    expect((await screen.findByRole('status')).textContent).toBe(
      'Commands cannot be confined here, so more is asked.bubblewrap is not installed.',
    );
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('turns it off and on for a project', async () => {
    const host = open(there, { 'project.setSandbox': () => ok({}) });
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: /in the sandbox$/ });
    expect(box.checked).toBe(true);
    fireEvent.click(box);
    await waitFor(() => expect(host.asked('project.setSandbox')).toEqual([{ projectId: 'p1', on: false }]));
  });

  it('lists the hosts with where they are allowed, revokes one and allows another', async () => {
    const draft = {
      effect: 'allow',
      match: { kind: 'host', host: 'example.com' },
      scope: { kind: 'project', projectId: 'p1' },
    };
    const host = open(there, {
      'rules.remove': () => ok({}),
      'rules.save': () => fail('denied', 'It is no name.'),
    });
    const row = await screen.findByRole('listitem', { name: 'registry.npmjs.org' });
    expect(row.textContent).toContain('in my-api');
    fireEvent.click(within(row).getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(host.asked('rules.remove')).toEqual([{ id: 'r1' }]));
    fireEvent.change(screen.getByRole('textbox', { name: 'Host' }), { target: { value: ' example.com ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Allow' }));
    expect(await screen.findByText('It is no name.')).toBeDefined();
    expect(host.asked('rules.save')).toEqual([{ draft }]);
  });
});
