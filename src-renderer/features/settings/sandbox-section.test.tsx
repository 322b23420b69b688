import type { SandboxDetails } from '@contract/commands/sandbox';
import { ok } from '@contract/result';
import { because } from '@contract/shared/reasons';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { ProjectChoice, usePort } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { SandboxSection } from './sandbox-section';

const project = sampleProject();
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
      <SandboxSection hosts={(noHosts) => <p>{noHosts?.code ?? 'hosts can be let in'}</p>} />
    </ProjectChoice>
  ) : null;
function open(details: SandboxDetails, answers: Answers = {}) {
  const host = panelHost({ projects: [project] }, { 'sandbox.read': () => ok(details), ...answers });
  stop = host.stop;
  render(<Gate />);
  return host;
}

describe('the sandbox page', () => {
  it('says what is available, what is hidden and what is unchanged', async () => {
    open(there);
    expect((await screen.findByRole('status')).textContent).toBe(
      'Deepdesk can sandbox commands here with bubblewrap.',
    );
    expect(screen.getByText('hosts can be let in')).toBeTruthy();
    expect(screen.getByRole('list', { name: 'Hidden from commands' }).textContent).toBe('/home/me/.ssh');
    expect(screen.getByRole('list', { name: 'Read-only in the project folder' }).textContent).toBe(
      '.git/hooks',
    );
  });

  it('says why there is no sandbox, and offers no switch', async () => {
    open({
      ...there,
      kind: null,
      reason: because('sandbox_exec_missing'),
      noHosts: because('sandbox_exec_missing'),
      hidden: [],
    });
    expect((await screen.findByRole('status')).textContent).toBe(
      "Deepdesk can't sandbox commands on this system, so it asks more often.This macOS has no sandbox-exec.",
    );
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('turns the sandbox off and on for a project', async () => {
    const host = open(there, { 'project.setSandbox': () => ok({}) });
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: /in the sandbox$/ });
    expect(box.checked).toBe(true);
    fireEvent.click(box);
    await waitFor(() => expect(host.asked('project.setSandbox')).toEqual([{ projectId: 'p1', on: false }]));
  });
});
