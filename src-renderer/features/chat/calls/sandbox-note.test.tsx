import { ProjectId, ThreadId } from '@contract/ids';
import { ok } from '@contract/result';
import type { SandboxedCall } from '@contract/shared/sandbox';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { usePort } from '../../../link';
import { type Answers, panelHost } from '../../../testing/panel-host';
import { SandboxNote } from './sandbox-note';

const threadId = ThreadId.parse('t1');
const thread = {
  id: threadId,
  projectId: ProjectId.parse('p1'),
  title: 'thread',
  updatedAt: 1,
  status: 'idle' as const,
  waiting: 0,
};

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});
const Gate = ({ sandbox }: { sandbox: SandboxedCall }) =>
  usePort().phase === 'ready' ? <SandboxNote threadId={threadId} sandbox={sandbox} /> : null;
function open(sandbox: SandboxedCall, answers: Answers = {}) {
  const host = panelHost(
    { threads: [thread], sandbox: { kind: 'bubblewrap', reason: null, noHosts: null } },
    answers,
  );
  stop = host.stop;
  render(<Gate sandbox={sandbox} />);
  return host;
}

describe('the note on a sandboxed command', () => {
  it('says that it ran in the sandbox, and nothing more if nothing was refused', async () => {
    open({ refused: [] });
    expect(await screen.findByText('Ran in the sandbox.')).toBeDefined();
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('lists what was refused and what the command created', async () => {
    open({
      refused: [
        { what: 'write', name: '/etc/x' },
        { what: 'network', name: '' },
        { what: 'network', name: '10.1.2.3', via: 'npm.example.com' },
      ],
      made: ['.vscode'],
    });
    const rows = await screen.findAllByRole('listitem');
    expect(rows.map((row) => row.firstChild?.textContent)).toEqual([
      'write /etc/x',
      'connect to the network',
      'connect to 10.1.2.3, the local address of npm.example.com',
    ]);
    expect(screen.getByText(/^It created \.vscode/)).toBeDefined();
  });

  it('can allow a host by keyboard', async () => {
    const host = open(
      { refused: [{ what: 'network', name: 'example.com' }] },
      { 'rules.save': () => ok({}) as never },
    );
    fireEvent.keyDown(await screen.findByRole('button', { name: 'Allow example.com…' }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'In this project' }));
    const scope = { kind: 'project', projectId: 'p1' };
    await waitFor(() =>
      expect(host.asked('rules.save')).toEqual([
        { draft: { effect: 'allow', match: { kind: 'host', host: 'example.com' }, scope } },
      ]),
    );
  });
});
