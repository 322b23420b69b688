import { expect, it } from 'vitest';
import { Semaphore } from './semaphore';

/** Lets everything that is due run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('lets as many run as it has places, and the others in their order', async () => {
  const places = new Semaphore(2);
  const order: number[] = [];
  for (let one = 0; one < 5; one += 1) void places.take().then(() => order.push(one));
  await settle();
  expect(order).toEqual([0, 1]);
  places.leave();
  // Comes while a place passes to the next one that waits.
  void places.take().then(() => order.push(5));
  await settle();
  expect(order).toEqual([0, 1, 2]);
  for (let left = 0; left < 3; left += 1) places.leave();
  await settle();
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
});

it('gives a place back that nobody waits for', async () => {
  const places = new Semaphore(1);
  for (let one = 0; one < 3; one += 1) {
    await places.take();
    places.leave();
  }
  await places.take();
});

it('leaves the queue when it is cancelled, without a place', async () => {
  const places = new Semaphore(1);
  await places.take();
  const stop = new AbortController();
  const cancelled = places.take(stop.signal);
  let isNext = false;
  void places.take().then(() => (isNext = true));
  stop.abort(new Error('stopped'));
  await expect(cancelled).rejects.toThrow('stopped');
  await expect(places.take(stop.signal)).rejects.toThrow('stopped');
  expect(isNext).toBe(false);
  places.leave();
  await settle();
  expect(isNext).toBe(true);
});
