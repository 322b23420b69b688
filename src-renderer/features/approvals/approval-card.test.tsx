import { Rule } from '@contract/control';
import { fail, ok } from '@contract/result';
import { because } from '@contract/shared/reasons';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { start } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { commandApproval, sampleApp } from '../../testing/samples';
import { ApprovalCard } from './approval-card';
import { ARM_AFTER, ARM_AFTER_UNDER_POINTER } from './use-armed';

let approval = commandApproval();
const decided = (host: FakeHost) =>
  host.calls.filter((one) => one.command === 'thread.decide').map((one) => one.input);
const decision = (value: unknown) => ({ threadId: 't1', approvalId: 'a2', digest: 'd2', decision: value });

const isHeading = (element: HTMLElement) => [...element.children].some(({ tagName }) => tagName === 'H3');

/** Gives elements heights, which happy-dom does not. */
const giveHeights = (
  heights: Partial<Record<'scrollHeight' | 'clientHeight', number>>,
  to: (element: HTMLElement) => boolean,
) =>
  Object.entries(heights).map(([name, value]) =>
    vi.spyOn(HTMLElement.prototype, name as 'scrollHeight', 'get').mockImplementation(function (
      this: HTMLElement,
    ) {
      return to(this) ? value : 0;
    }),
  );

describe('the approval card', () => {
  let host: FakeHost;
  let stop: () => void;
  beforeEach(() => {
    approval = commandApproval();
    vi.useFakeTimers();
    host = fakeHost(sampleApp(), [], { 'thread.decide': () => ok({}) });
    stop = start(host.port);
  });
  afterEach(() => {
    cleanup();
    stop();
    vi.useRealTimers();
  });

  const draw = (place = '') => (
    <ApprovalCard approval={approval} place={place} mount="/home/me/my-api" mac={false} />
  );
  const show = async (place?: string) => {
    const view = render(draw(place));
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    return view;
  };
  const card = () => screen.getByRole('dialog', { name: 'Run a command' });
  const press = async (name: RegExp | string) => {
    fireEvent.click(screen.getByRole('button', { name }));
    await act(() => vi.advanceTimersByTimeAsync(0));
  };

  it('shows the exact command with invisible characters as escapes', async () => {
    await show();
    expect(screen.getByRole('region', { name: 'Exact command' }).textContent).toBe(
      'npm test && rm -rf ./out \\u202e# gnp.exe',
    );
  });

  it('keeps waiting for a running command with Enter and stops it with Esc', async () => {
    approval = {
      ...approval,
      preview: { kind: 'timeout', command: 'npm start', seconds: 120 },
      reason: [because('still_running', { seconds: 120 })],
      allowed: ['wait', 'reject'],
      risk: 'low',
    };
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
    approval = { ...approval, preview: { ...approval.preview, outsideSandbox: true, outsideReason } };
    await show();
    expect(card().textContent).toContain(
      'Runs outside the sandbox, with access to everything you can access.',
    );
    expect(card().textContent).toContain("Agent's reason: needs git over ssh \\u202e");
  });

  it('takes no focus and no decision in its first half second', async () => {
    render(draw());
    expect(document.activeElement).toBe(document.body);
    await press(/Allow once/);
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    await press('Reject with reason…');
    await press('Reject');
    expect(screen.queryByRole('textbox')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    expect(decided(host)).toEqual([]);
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
  });

  it('waits again when it moves up to the place of another card', async () => {
    const view = await show('1/2');
    view.rerender(draw('0/1'));
    await press(/Allow once/);
    expect(decided(host)).toEqual([]);
  });

  it('allows on Ctrl+Enter only while it has the focus, and not for a held key', async () => {
    await show();
    fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true, repeat: true });
    expect(decided(host)).toEqual([]);
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
  });

  it('clicks no button for a held Enter, not even one that it has just reached', async () => {
    await show();
    const allow = screen.getByRole('button', { name: /Allow once/ });
    expect(fireEvent.keyDown(allow, { key: 'Enter', repeat: true })).toBe(false);
    await press(/Always/);
    // Text may have many lines.
    await press('Back');
    await press('Reject with reason…');
    expect(fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter', repeat: true })).toBe(true);
    expect(decided(host)).toEqual([]);
  });

  it('counts its first half second only while the window is visible', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    render(draw());
    await act(() => vi.advanceTimersByTimeAsync(10 * ARM_AFTER));
    hidden.mockReturnValue(false);
    fireEvent(document, new Event('visibilitychange'));
    await press(/Allow once/);
    expect(decided(host)).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
    hidden.mockRestore();
  });

  it('reports its removal only if it has the focus', async () => {
    const onLeft = vi.fn();
    const drawn = (
      <>
        <ApprovalCard
          approval={approval}
          mount="/home/me/my-api"
          mac={false}
          onLeft={() => onLeft(card().contains(document.activeElement))}
        />
        <input />
      </>
    );
    const view = render(drawn);
    screen.getByRole('textbox').focus();
    view.rerender(<input />);
    expect(onLeft).not.toHaveBeenCalled();
    view.rerender(drawn);
    screen.getByRole('button', { name: 'Reject' }).focus();
    view.rerender(<input />);
    expect(onLeft.mock.calls).toEqual([[true]]);
  });

  it('keeps the focus when its content changes', async () => {
    await show();
    screen.getByRole('button', { name: 'Reject with reason…' }).focus();
    await press('Reject with reason…');
    expect(document.activeElement?.tagName).toBe('TEXTAREA');
    await press('Back');
    expect(document.activeElement).toBe(card());
    await press('Always…');
    expect(card().contains(document.activeElement)).toBe(true);
    fireEvent.keyDown(document.activeElement ?? card(), { key: 'Escape' });
    expect(document.activeElement).toBe(card());
  });

  const key = async (name: string, more: object = {}, target: Element = card()) => {
    fireEvent.keyDown(target, { key: name, ...more });
    await act(() => vi.advanceTimersByTimeAsync(0));
  };

  it.each([{}, { ctrlKey: true }])('rejects with a reason on R, the text and Enter: %j', async (more) => {
    await show();
    await key('r');
    const field = screen.getByRole('textbox');
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: ' use rm -i ' } });
    await key('Enter', { shiftKey: true }, field);
    expect(decided(host)).toEqual([]);
    await key('Enter', more, field);
    expect(decided(host)).toEqual([decision({ type: 'reject', message: 'use rm -i' })]);
  });

  it('sends the text as the result of the call, if the user chooses that', async () => {
    await show();
    await key('r');
    await press('Reply without running');
    expect(screen.getByText('Enter an answer first.')).toBeTruthy();
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'All tests pass.' } });
    await press('Reply without running');
    expect(decided(host)).toEqual([decision({ type: 'respond', text: 'All tests pass.' })]);
  });

  it('rejects on Esc, but not from a form', async () => {
    await show();
    await key('r');
    await key('Escape', {}, screen.getByRole('textbox'));
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(decided(host)).toEqual([]);
    await key('Escape');
    expect(decided(host)).toEqual([decision({ type: 'reject' })]);
  });

  it('allows a low-risk call on a plain Enter on the card', async () => {
    approval = commandApproval({ risk: 'low' });
    await show();
    await key('Enter');
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
  });

  it('never allows a high-risk call on a plain Enter, and says which keys do', async () => {
    await show();
    await key('Enter');
    const allow = screen.getByRole('button', { name: 'Allow once' });
    const isTaken = !fireEvent.keyDown(allow, { key: 'Enter' });
    expect(isTaken).toBe(true);
    expect(screen.getByRole('status').textContent).toBe('Press Ctrl+Enter to allow');
    await key('e');
    const field = screen.getByRole('textbox', { name: 'Command' });
    fireEvent.change(field, { target: { value: 'npm t' } });
    const submit = screen.getByRole('button', { name: 'Allow as edited' });
    expect(fireEvent.keyDown(submit, { key: 'Enter' })).toBe(false);
    expect(decided(host)).toEqual([]);
    await key('Enter', { ctrlKey: true }, field);
    expect(decided(host)).toEqual([decision({ type: 'edit', args: { command: 'npm t' } })]);
  });

  it('ignores letters that are typed in a field or pressed with Ctrl', async () => {
    await show();
    await key('r', { ctrlKey: true });
    expect(screen.queryByRole('textbox')).toBeNull();
    await key('r');
    await key('e', {}, screen.getByRole('textbox'));
    expect(screen.getByRole('textbox', { name: /^Reason/ })).toBeTruthy();
  });

  it('accepts keys of a non-Latin keyboard', async () => {
    await show();
    await key('к', { code: 'KeyR' });
    expect(screen.getByRole('textbox', { name: /^Reason/ })).toBeTruthy();
  });

  it('shows the key of each button', async () => {
    await show();
    const keys = screen
      .getAllByRole('button')
      .map((one) => [one.textContent, one.getAttribute('aria-keyshortcuts')]);
    expect(keys).toEqual([
      ['Always…A', 'A'],
      ['EditE', 'E'],
      ['Reject with reason…R', 'R'],
      ['RejectEsc', 'Escape'],
      ['Allow onceCtrl ↵', 'Control+Enter'],
    ]);
  });

  it('leaves Esc to its container', async () => {
    render(<ApprovalCard approval={approval} keepsEscape mount="/home/me/my-api" mac={false} />);
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    await key('Escape');
    expect(decided(host)).toEqual([]);
    expect(screen.getByRole('button', { name: 'Reject' }).textContent).toBe('Reject');
  });

  describe('on screen', () => {
    /** The card's position; everything else fills the window. */
    let top = 0;
    beforeEach(() => {
      top = 0;
      approval = commandApproval({ risk: 'low' });
      vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
        this: HTMLElement,
      ) {
        return this.dataset.approval === undefined
          ? new DOMRect(0, 0, 800, 600)
          : new DOMRect(0, top, 800, 300);
      });
    });
    afterEach(() => vi.restoreAllMocks());
    const focused = async () => {
      await show();
      card().focus();
      await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    };

    it.each([
      ['its heading', -40],
      ['its end', window.innerHeight - 200],
    ])('ignores keys while %s is hidden, and scrolls into view instead', async (_what, place) => {
      top = place;
      const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue();
      await focused();
      for (const name of ['Enter', 'Escape', 'r', 'a', 'e']) await key(name);
      expect(scroll).toHaveBeenCalled();
      top = 10;
      await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
      expect(screen.queryByRole('textbox')).toBeNull();
      expect(decided(host)).toEqual([]);
    });

    it('ignores keys for half a second after it moved', async () => {
      await focused();
      top = 120;
      await key('Enter');
      await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER - 1));
      await key('Enter');
      expect(decided(host)).toEqual([]);
      await act(() => vi.advanceTimersByTimeAsync(1));
      await key('Enter');
      expect(decided(host)).toEqual([decision({ type: 'approve' })]);
    });
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

  const asks = (change: Record<string, unknown>) => {
    const preview = {
      kind: 'command',
      command: 'npm test',
      cwd: '/home/me/my-api',
      timeoutSeconds: 9,
      ...change,
    };
    approval = commandApproval({ preview });
  };

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
    approval = { ...approval, reason };
    await show();
    const why = document.getElementById(card().getAttribute('aria-describedby') ?? '');
    const readAloud = why?.querySelector('.sr-only')?.textContent ?? '';
    expect(readAloud).toMatch(/ risk\. git push: it sends your commits to another computer\.$/);
    expect(why?.textContent).toBe(`${readAloud}The thread contains a result from mail.`);
    expect(screen.getByText('it sends your commits to another computer')).toBeTruthy();
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

  it('shows the end of a long command, and allows it only after scrolling there [S161]', async () => {
    const heights = { scrollHeight: 900, clientHeight: 200 };
    const spies = giveHeights(heights, (element) => !isHeading(element));
    asks({ command: `${'true\n'.repeat(90)}rm -rf payload` });
    await show();
    expect(screen.getByText(/^true\ntrue\nrm -rf payload$/, { normalizer: (text) => text })).toBeTruthy();
    await press(/Allow once/);
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    expect(decided(host)).toEqual([]);
    expect(screen.getByText('Scroll to the end first.')).toBeTruthy();
    const region = screen.getByRole('region', { name: 'Exact command' });
    region.scrollTop = 700;
    fireEvent.scroll(region);
    await press(/Allow once/);
    expect(decided(host)).toEqual([]);
    const body = screen.getByRole('group', { name: 'What it does' });
    body.scrollTop = 700;
    fireEvent.scroll(body);
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
    for (const spy of spies) spy.mockRestore();
  });

  it('is allowed only after scrolling to the end of a heading that names a very long path', async () => {
    const spies = giveHeights({ scrollHeight: 300, clientHeight: 80 }, isHeading);
    asks({ command: 'touch a' });
    await show();
    await press(/Allow once/);
    fireEvent.keyDown(card(), { key: 'Enter' });
    expect(decided(host)).toEqual([]);
    expect(screen.getByText('Scroll to the end first.')).toBeTruthy();
    const heading = screen.getByRole('heading', { level: 3 }).parentElement as HTMLElement;
    expect(heading.tabIndex).toBe(0);
    fireEvent.keyDown(card(), { key: 'End' });
    expect(heading.scrollTop).toBe(300);
    fireEvent.scroll(heading);
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
    for (const spy of spies) spy.mockRestore();
  });

  it('is allowed only after scrolling to the end of the card where the whole card scrolls', async () => {
    asks({ command: 'touch a' });
    // Like an element without overflow of its own in one that scrolls.
    const spy = vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function (
      this: HTMLElement,
    ) {
      return this.hasAttribute('data-approval') ? 900 : 0;
    });
    await show();
    await press(/Allow once/);
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    expect(decided(host)).toEqual([]);
    fireEvent.keyDown(card(), { key: 'End' });
    expect(card().scrollTop).toBe(900);
    fireEvent.scroll(card());
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
    spy.mockRestore();
  });

  it('scrolls a long command with the keys of the card, first on the way to the end and last on the way back', async () => {
    const heights = { scrollHeight: 900, clientHeight: 240 };
    const spies = giveHeights(heights, (element) => !isHeading(element));
    asks({ command: 'true\n'.repeat(90) });
    await show();
    const command = screen.getByRole('region', { name: 'Exact command' });
    const body = screen.getByRole('group', { name: 'What it does' });
    const scrolled = (...keys: string[]) => {
      for (const key of keys) fireEvent.keyDown(card(), { key });
      return [command.scrollTop, body.scrollTop];
    };
    expect(scrolled('PageDown')).toEqual([200, 0]);
    expect(scrolled(' ', 'PageDown', 'PageDown')).toEqual([800, 0]);
    expect(scrolled('PageDown')).toEqual([800, 200]);
    expect(scrolled('PageUp')).toEqual([800, 0]);
    expect(scrolled('PageUp')).toEqual([600, 0]);
    command.scrollTop = 0;
    expect(scrolled('End')).toEqual([900, 900]);
    for (const spy of spies) spy.mockRestore();
  });

  it('waits a second if it appeared under the pointer', async () => {
    const under = vi
      .spyOn(HTMLElement.prototype, 'matches')
      .mockImplementation((selector) => selector === ':hover');
    render(draw());
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    under.mockRestore();
    await press(/Allow once/);
    expect(decided(host)).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER_UNDER_POINTER - ARM_AFTER));
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
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

  it('shows what a rule would have allowed before it is saved, and then allows the call', async () => {
    const match = { kind: 'command' as const, words: ['npm', 'test'], exact: false };
    host.answers['rules.suggest'] = () => ok({ matches: [{ ...match, exact: true }, match], refused: null });
    host.answers['rules.preview'] = (draft) =>
      ok({
        refused: null,
        checked: 7,
        covered: [],
        coveredCalls: draft.match.kind === 'command' && draft.match.exact ? 0 : 2,
        nearMiss: { text: 'npm i', reason: because('runs_scripts'), risk: 'medium', happened: true },
      });
    host.answers['rules.save'] = ({ draft }) => ok(Rule.parse({ ...draft, id: 'r1', createdAt: 1 }));
    await show();
    await press('Always…');
    expect(within(card()).getByText(/none of the last 7 calls/)).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: 'npm test …' }));
    fireEvent.change(screen.getByRole('combobox', { name: 'Scope' }), { target: { value: 'project' } });
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(
      within(card()).getByText('It would have allowed 2 of the last 7 calls without asking:'),
    ).toBeTruthy();
    expect(card().textContent).toContain(
      'The riskiest similar calls that still need approval: npm i: it runs scripts',
    );
    await press('Save rule and allow');
    const saved = host.calls.filter((one) => one.command === 'rules.save').map((one) => one.input);
    expect(saved).toEqual([
      { draft: { effect: 'allow', match, scope: { kind: 'project', projectId: 'p1' } } },
    ]);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
  });

  it('shows an error about a rule only until another one is chosen', async () => {
    const match = { kind: 'command' as const, words: ['npm', 'test'], exact: false };
    host.answers['rules.suggest'] = () => ok({ matches: [{ ...match, exact: true }, match], refused: null });
    host.answers['rules.preview'] = (draft) =>
      draft.match.kind === 'command' && draft.match.exact
        ? fail('storage', 'external', { text: 'The database is locked.' })
        : ok({ refused: null, checked: 7, covered: [], coveredCalls: 0, nearMiss: null });
    await show();
    await press('Always…');
    expect(within(card()).getByText('The database is locked.')).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: 'npm test …' }));
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(within(card()).getByText(/none of the last 7 calls/)).toBeTruthy();
    expect(within(card()).queryByText('The database is locked.')).toBeNull();
  });

  it('says why no rule is possible', async () => {
    host.answers['rules.suggest'] = () => ok({ matches: [], refused: because('rule_deletes') });
    await show();
    await press('Always…');
    expect(within(card()).getByText(/^Every deletion needs approval/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save rule and allow' })).toBeNull();
  });
});
