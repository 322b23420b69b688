import { ProjectId, ThreadId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onIntent, start } from '../link';
import { type FakeHost, fakeHost } from '../testing/fake-host';
import { sampleApp } from '../testing/samples';
import { openWindowAt, viewKey } from './views';

const place = { projectId: ProjectId.parse('p2'), threadId: ThreadId.parse('t5') };
const keys = () => Object.keys(localStorage).sort();

describe('additional windows', () => {
  let host: FakeHost;
  let stop: () => void;
  beforeEach(() => {
    localStorage.clear();
    host = fakeHost(sampleApp());
    stop = start(host.port);
  });
  afterEach(() => {
    stop();
    localStorage.clear();
  });

  it('have a view by their name; the first window has the unnamed one', () => {
    expect([viewKey(''), viewKey('b-2'), viewKey('no name of ours')]).toEqual([
      'deepdesk:view',
      'deepdesk:view:b-2',
      'deepdesk:view',
    ]);
  });

  it('start as a copy of this one at another thread, and drop the views of closed windows', async () => {
    localStorage.setItem(
      'deepdesk:view',
      JSON.stringify({ state: { dockOpen: false, threadId: 't1' }, version: 1 }),
    );
    localStorage.setItem('deepdesk:view:gone', '{}');
    localStorage.setItem('deepdesk:view:there', '{}');
    let view = '';
    host.answers['window.open'] = (input) => {
      view = input.view;
      return ok({ views: ['there', input.view] });
    };
    await openWindowAt(place);
    expect(keys()).toEqual(['deepdesk:view', 'deepdesk:view:there', `deepdesk:view:${view}`].sort());
    expect(JSON.parse(localStorage.getItem(`deepdesk:view:${view}`) ?? '')).toEqual({
      version: 1,
      state: { dockOpen: false, ...place },
    });
  });

  it('leave nothing behind if they cannot open, and report the reason', async () => {
    localStorage.setItem('deepdesk:view', 'no JSON');
    host.answers['window.open'] = () =>
      fail('unsupported', 'external', { text: 'There are no windows here.' });
    const told: unknown[] = [];
    const undo = onIntent((intent) => told.push(intent));
    await openWindowAt(place);
    undo();
    expect(keys()).toEqual(['deepdesk:view']);
    expect(told).toEqual([{ type: 'toast', message: 'There are no windows here.' }]);
  });
});
