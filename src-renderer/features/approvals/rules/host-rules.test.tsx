import { Rule } from '@contract/control';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { onIntent, ProjectChoice, type UndoOffer, UndoOffers, usePort } from '../../../link';
import { type Answers, panelHost } from '../../../testing/panel-host';
import { sampleProject } from '../../../testing/samples';
import { HostRules } from './host-rules';

const project = sampleProject();
const npm = Rule.parse({
  id: 'r1',
  createdAt: 1,
  effect: 'allow',
  match: { kind: 'host', host: 'packages.example.com' },
  scope: { kind: 'project', projectId: 'p1' },
});

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});
const offers: UndoOffer[] = [];
const Gate = ({ offering }: { offering: boolean }) => {
  const { phase } = usePort();
  if (phase !== 'ready') return null;
  return (
    <UndoOffers value={offering ? (offer) => offers.push(offer) : null}>
      <ProjectChoice first={null}>
        <HostRules noHosts={null} />
      </ProjectChoice>
    </UndoOffers>
  );
};
function open(answers: Answers, offering = true) {
  offers.length = 0;
  const host = panelHost({ projects: [project], rules: [npm] }, answers);
  stop = host.stop;
  render(<Gate offering={offering} />);
  return host;
}
async function revoke() {
  const row = await screen.findByRole('listitem', { name: 'packages.example.com' });
  expect(row.textContent).toContain('in my-api');
  fireEvent.keyDown(within(row).getByRole('button', { name: /^More actions/ }), { key: 'Enter' });
  fireEvent.click(screen.getByRole('menuitem', { name: 'Revoke' }));
}

describe('host rules', () => {
  it('are listed with their scope, and can be revoked and restored', async () => {
    const host = open({ 'rules.remove': () => ok({}), 'rules.restore': () => ok({}) });
    await revoke();
    await waitFor(() => expect(offers).toHaveLength(1));
    expect(host.asked('rules.remove')).toEqual([{ id: 'r1' }]);
    expect(offers[0]).toMatchObject({
      setting: 'packages.example.com',
      said: 'Revoked: packages.example.com',
    });
    expect(await offers[0]?.undo()).toBe(true);
    expect(host.asked('rules.restore')).toEqual([{ id: 'r1' }]);
  });

  it('report a revocation if no undo bar is present', async () => {
    const told: unknown[] = [];
    const undo = onIntent((intent) => told.push(intent));
    open({ 'rules.remove': () => ok({}) }, false);
    await revoke();
    await waitFor(() => expect(told).toEqual([{ type: 'toast', message: 'Revoked: packages.example.com' }]));
    undo();
  });

  it('say why one could not be revoked, and offer no undo then', async () => {
    const told: unknown[] = [];
    const undo = onIntent((intent) => told.push(intent));
    open({ 'rules.remove': () => fail('storage', 'external', { text: 'The disk is full.' }) });
    await revoke();
    await waitFor(() => expect(told).toEqual([{ type: 'toast', message: 'The disk is full.' }]));
    undo();
    expect(offers).toEqual([]);
  });

  it('can allow another host for the project, and say why if that fails', async () => {
    const draft = {
      effect: 'allow',
      match: { kind: 'host', host: 'example.com' },
      scope: { kind: 'project', projectId: 'p1' },
    };
    const host = open({ 'rules.save': () => fail('denied', 'external', { text: 'It is no name.' }) });
    fireEvent.change(await screen.findByRole('textbox', { name: 'Host' }), {
      target: { value: ' example.com ' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Allow' }));
    expect(await screen.findByText('It is no name.')).toBeDefined();
    expect(host.asked('rules.save')).toEqual([{ draft }]);
  });
});
