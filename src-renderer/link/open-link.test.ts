import { fail, ok } from '@contract/result';
import { afterEach, expect, it } from 'vitest';
import { fakeHost } from '../testing/fake-host';
import { sampleApp } from '../testing/samples';
import { type Intent, onIntent, openLink, start } from '.';

let stop: (() => void)[] = [];
afterEach(() => {
  for (const one of stop) one();
  stop = [];
});

it('says why a link was not opened, and nothing if the person was asked', async () => {
  const host = fakeHost(sampleApp(), [], {
    'link.open': ({ url }) =>
      url.startsWith('file:') ? fail('denied', 'link_scheme') : ok({ opened: false }),
  });
  const told: Intent[] = [];
  stop = [start(host.port), onIntent((intent) => told.push(intent))];
  await openLink('https://example.org/');
  expect(told).toEqual([]);
  await openLink('file:///etc/passwd');
  expect(told).toMatchObject([{ type: 'toast' }]);
});
