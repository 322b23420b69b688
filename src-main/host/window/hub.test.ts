import { describe, expect, it } from 'vitest';
import type { AppEvent } from '../../contract/events';
import { Hub } from './hub';

const show = (threadId: string) => ({ type: 'show.thread', threadId }) as unknown as AppEvent;

/** A hub whose first subscriber answers the event `first` with the event `second`. */
function answering(hub = new Hub()) {
  const seen: string[] = [];
  const note = (who: string) => (event: AppEvent) => void seen.push(`${who} ${JSON.stringify(event)}`);
  hub.onApp(note('a'));
  hub.onApp((event) => {
    if (JSON.stringify(event) === JSON.stringify(show('first'))) hub.app(show('second'));
  });
  hub.onApp(note('b'));
  return { hub, seen };
}

describe('the hub', () => {
  it('gives every subscriber the events in the order in which they were published', () => {
    const { hub, seen } = answering();
    hub.app(show('first'));
    const [first, second] = [show('first'), show('second')].map((event) => JSON.stringify(event));
    expect(seen).toEqual([`a ${first}`, `b ${first}`, `a ${second}`, `b ${second}`]);
  });

  it('publishes what was waiting, and the next event, even if a subscriber fails', () => {
    const hub = new Hub();
    const stop = hub.onApp(() => {
      hub.app(show('second'));
      stop();
      throw new Error('No window.');
    });
    const { seen } = answering(hub);
    expect(() => hub.app(show('first'))).toThrow('No window.');
    hub.app(show('third'));
    expect(seen.map((one) => one.split('"').at(-2))).toEqual(['second', 'second', 'third', 'third']);
  });
});
