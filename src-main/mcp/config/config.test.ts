import { expect, it } from 'vitest';
import { standardTime } from '../../base/testing/processor-time';
import { parseConfig } from './config';

const START = ['$', '{A:-'].join('');

it('reads variables as quickly if they never end', async () => {
  const text = JSON.stringify({ mcpServers: { one: { command: `${START}b} ${START.repeat(100_000)}` } } });
  expect(parseConfig(text).entries).toMatchObject([{ ok: true, config: { variables: ['A'] } }]);
  expect(await standardTime(() => parseConfig(text))).toBeLessThan(500);
});
