import type { AppSnapshot } from '@contract/app';
import type { Approval } from '@contract/approvals';
import { ThreadId } from '@contract/ids';
import { APPROVAL_MODES } from '@contract/modes';
import { ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { en } from '../../i18n/en';
import { zh } from '../../i18n/zh';
import { usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { commandApproval } from '../../testing/sample-approvals';
import { sampleApp, sampleProject } from '../../testing/samples';
import { dismiss, noteAllowed } from './allowed-calls';
import { ModeChoice } from './mode-choice';
import { ModeOffer } from './mode-offer';

const project = sampleProject();
const hasSandbox = { kind: 'bubblewrap', reason: null, noHosts: null };
let stop = () => {};
afterEach(() => {
  cleanup();
  act(() => dismiss(project.id));
  localStorage.clear();
  stop();
});

async function open(change: Record<string, unknown> = { sandbox: hasSandbox }, shown = project) {
  const runs = (calls: readonly { args: Record<string, unknown> }[]) =>
    calls.map(({ args }) => args.command !== 'curl x');
  const host = panelHost(sampleApp(change) as AppSnapshot, {
    'approval.wouldRun': ({ calls }) => ok({ runs: runs(calls) }),
    'project.setMode': () => ok({}),
  });
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <>
        <ModeOffer project={shown} />
        <ModeChoice project={shown} />
      </>
    ) : null;
  render(<Gate />);
  await screen.findByRole('radio', { name: /^Plan only/ });
  return host;
}
const allowed = (command: string, change: Partial<Approval> = {}) =>
  act(async () =>
    noteAllowed({
      ...commandApproval({
        id: `a-${command}`,
        risk: 'low',
        args: { command },
        preview: { kind: 'command', command, cwd: '/home/me/my-api', timeoutSeconds: 9 },
      }),
      ...change,
    }),
  );
const offer = () => screen.queryByRole('region', { name: 'Ask less often' });

it('offers the sandbox mode after three low-risk calls that it would have run, and names them', async () => {
  const host = await open();
  await allowed('touch a');
  await allowed('touch b');
  await allowed('curl x');
  await allowed('rm -r c', { risk: 'high' });
  await allowed('touch other', { threadId: ThreadId.parse('t5') });
  expect(offer()).toBeNull();
  await allowed('touch c');
  const strip = await screen.findByRole('region', { name: 'Ask less often' });
  expect(strip.textContent).toContain('You allowed 3 low-risk calls.');
  expect(
    within(strip)
      .getAllByRole('listitem')
      .map((one) => one.textContent),
  ).toEqual(['touch a', 'touch b', 'touch c']);
  fireEvent.click(within(strip).getByRole('button', { name: 'Use this mode' }));
  await waitFor(() =>
    expect(host.asked('project.setMode')).toEqual([{ projectId: 'p1', mode: 'auto-sandbox', loosen: true }]),
  );
});

it('is not offered again after the user declines', async () => {
  await open();
  for (const command of ['a', 'b', 'c']) await allowed(command);
  fireEvent.click(await screen.findByRole('button', { name: 'Keep asking' }));
  for (const command of ['d', 'e', 'f']) await allowed(command);
  expect(offer()).toBeNull();
});

it.each([
  ['without a sandbox', { sandbox: { ...hasSandbox, kind: null } }, project],
  ['in another mode', { sandbox: hasSandbox }, sampleProject({ mode: 'ask-all' })],
])('offers nothing %s', async (_name, change, shown) => {
  const host = await open(change, shown);
  for (const command of ['a', 'b', 'c']) await allowed(command);
  expect(host.asked('approval.wouldRun')).toEqual([]);
  expect(offer()).toBeNull();
});

it.each([
  ['bubblewrap', /^Auto in the sandbox/, false],
  [null, /^Ask/, true],
] as const)("recommends a mode by the system's capabilities: %s", async (kind, name, disabled) => {
  await open({ sandbox: { ...hasSandbox, kind } });
  const badge = screen.getByText('Recommended');
  expect(badge.closest('label')?.textContent).toMatch(name);
  const auto = screen.getByRole<HTMLInputElement>('radio', { name: /^Auto in the sandbox/ });
  expect(auto.disabled).toBe(disabled);
});

it('explains each mode in two sentences, in both languages', () => {
  const sentences = (text: unknown) =>
    String(text)
      .split(/[.。]/)
      .filter((part) => part.trim() !== '').length;
  for (const { modeTexts } of [en, zh])
    expect(Object.values(modeTexts).map((text) => sentences(text))).toEqual(APPROVAL_MODES.map(() => 2));
});
