import { fail, ok } from '@contract/result';
import { because } from '@contract/shared/reasons';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  approval,
  asks,
  card,
  decided,
  decision,
  host,
  press,
  setApproval,
  show,
  start,
  stop,
} from './testing/card';

beforeEach(start);
afterEach(stop);

describe('the approval card', () => {
  it('shows the exact command with invisible characters as escapes', async () => {
    await show();
    expect(screen.getByRole('region', { name: 'Exact command' }).textContent).toBe(
      'npm test && rm -rf ./out \\u202e# gnp.exe',
    );
  });

  it('keeps waiting for a running command with Enter and stops it with Esc', async () => {
    setApproval({
      ...approval,
      preview: { kind: 'timeout', command: 'npm start', seconds: 120 },
      reason: [because('still_running', { seconds: 120 })],
      allowed: ['wait', 'reject'],
      risk: 'low',
    });
    await show();
    const asked = screen.getByRole('dialog', { name: 'Keep waiting for the command?' });
    expect(asked.textContent).toContain('npm start');
    expect(asked.textContent).toContain('It reached its time limit of 120 s and keeps running');
    expect(within(asked).queryByRole('button', { name: /Always|Reject|Allow/ })).toBeNull();
    fireEvent.keyDown(asked, { key: 'r' });
    fireEvent.keyDown(asked, { key: 'Enter' });
    await act(() => vi.advanceTimersByTimeAsync(0));
    fireEvent.keyDown(asked, { key: 'Escape' });
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(decided(host)).toEqual([decision({ type: 'wait' }), decision({ type: 'reject' })]);
    await press(/^Stop/);
    expect(decided(host)).toHaveLength(3);
  });

  it('says that it runs outside the sandbox, and quotes the agent’s reason', async () => {
    if (approval.preview.kind !== 'command') throw new Error('not a command');
    const outsideReason = 'needs git over ssh \u202e';
    setApproval({ ...approval, preview: { ...approval.preview, outsideSandbox: true, outsideReason } });
    await show();
    expect(card().textContent).toContain(
      'Runs outside the sandbox, with access to everything you can access.',
    );
    expect(card().textContent).toContain("Agent's reason: needs git over ssh \\u202e");
  });

  it('sends the edited command with the other arguments unchanged', async () => {
    await show();
    await press('Edit');
    const field = within(card()).getByRole('textbox', { name: 'Command' });
    fireEvent.change(field, { target: { value: 'npm test -- --bail' } });
    await press('Allow as edited');
    expect(decided(host)).toEqual([decision({ type: 'edit', args: { command: 'npm test -- --bail' } })]);
  });

  it('stays and says why when a decision is refused', async () => {
    host.answers['thread.decide'] = () =>
      fail('stale', 'external', { text: 'The call changed. Look at it again.' });
    await show();
    await press(/Allow once/);
    expect(within(card()).getByRole('alert').textContent).toBe('The call changed. Look at it again.');
  });

  it('marks letters that only look Latin [S152]', async () => {
    asks({ command: '\u0441\u0430t f' });
    await show();
    expect(screen.getByRole('region', { name: 'Exact command' }).textContent).toBe('\\u0441\\u0430t f');
    expect(screen.getByText('Invisible characters are shown as escapes')).toBeTruthy();
  });

  it('marks unusual spaces in everything that it shows of a command [safety 11]', async () => {
    const text = 'rm\u00a0a\u2003b\u2028c';
    const shown = 'rm\\xa0a\\u2003b\\u2028c';
    asks({
      command: text,
      parts: [
        { text, verdict: 'ask', reason: `it runs ${text}`, risk: 'high', program: `/bin/${text}` },
        { text: 'ls', verdict: 'allow', reason: 'it only reads', risk: 'low' },
      ],
      touches: [{ does: 'delete', path: text, kind: 'unknown', outside: false, dependsOnFolder: true }],
    });
    await show();
    expect(screen.getByRole('region', { name: 'Exact command' }).textContent).toBe(shown);
    const [part] = within(screen.getByRole('list', { name: 'Commands in this line' })).getAllByRole(
      'listitem',
    );
    expect(part?.textContent).toBe(`Needs approval: ${shown}it runs ${shown}/bin/${shown}`);
    const touches = screen.getByRole('list', { name: 'Effects on your files' });
    expect(touches.textContent).toBe(`Deletes${shown}depends on the command's working folder at that point`);
  });

  it('shows a reason once: with the command, or below', async () => {
    const pushes = because('part', { text: 'git push', why: because('sends_commits') });
    const reason = [because('thread_holds_result', { name: 'mail' }), pushes];
    const parts = [{ text: 'git push', verdict: 'ask', reason: because('sends_commits'), risk: 'medium' }];
    asks({ command: 'git push', parts });
    setApproval({ ...approval, reason });
    await show();
    const why = document.getElementById(card().getAttribute('aria-describedby') ?? '');
    const readAloud = why?.querySelector('.sr-only')?.textContent ?? '';
    expect(readAloud).toMatch(/ risk\. git push: it sends your commits to another computer\.$/);
    expect(why?.textContent).toBe(`${readAloud}The thread contains a result from mail.`);
    expect(screen.getByText('It sends your commits to another computer')).toBeTruthy();
  });

  it('keeps the case of the name of a program', async () => {
    const reason = because('runs_program', { name: 'sh' });
    asks({ command: 'sh x.sh', parts: [{ text: 'sh x.sh', verdict: 'ask', reason, risk: 'medium' }] });
    await show();
    expect(screen.getByText('sh runs a program').className).not.toContain('first-letter');
  });

  it('says how long the command is, what its parts are and what they change', async () => {
    const part = { risk: 'low', program: '/usr/bin/npm' };
    asks({
      command: 'npm test\nrm -r build',
      parts: [
        { ...part, text: 'npm test', verdict: 'ask', reason: because('runs_scripts'), script: 'node --test' },
        { text: 'rm -r build', verdict: 'ask', reason: because('deletes_files'), risk: 'high' },
      ],
      touches: [
        {
          does: 'delete',
          path: '/home/me/my-api/build',
          kind: 'folder',
          files: 3,
          bytes: 2_000,
          outside: false,
          notInGit: 3,
        },
        { does: 'overwrite', path: '/etc/hosts', kind: 'file', files: 1, bytes: 10, outside: true },
      ],
    });
    await show();
    expect(screen.getByText('2 lines, 20 characters')).toBeTruthy();
    const items = (name: string) =>
      within(screen.getByRole('list', { name }))
        .getAllByRole('listitem')
        .map((item) => item.textContent);
    expect(items('Commands in this line')).toEqual([
      'Needs approval: npm testit runs scripts of the project or of packages/usr/bin/npmruns the script node --test',
      'Needs approval: rm -r buildit deletes files',
    ]);
    expect(items('Effects on your files')).toEqual([
      'Deletesbuilda folder, 3 files inside, 2 kB3 of them not committed to git in their current state',
      'Overwrites/etc/hosts10 BOutside your folder',
    ]);
  });

  it('shows the verdict on edited arguments during typing', async () => {
    host.answers['approval.check'] = ({ args }) =>
      ok({
        verdict: 'deny',
        reason: [because('unknown_tool', { tool: String(args.command) })],
        risk: 'high',
        preview: null,
      });
    await show();
    await press('Edit');
    fireEvent.change(within(card()).getByRole('textbox', { name: 'Command' }), {
      target: { value: 'sudo id' },
    });
    await act(() => vi.advanceTimersByTimeAsync(400));
    expect(within(card()).getByRole('status').textContent).toBe(
      'Rules deny this: Deepdesk does not know what "sudo id" does.',
    );
  });
});
