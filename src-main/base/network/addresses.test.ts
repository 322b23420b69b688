import { expect, it } from 'vitest';
import { plainIp, reachOf, reachOfName } from './addresses';

it.each([
  ['http://127.0.0.1/', 'loopback'],
  ['http://127.9.9.9/', 'loopback'],
  ['http://2130706433/', 'loopback'],
  ['http://0x7f.1/', 'loopback'],
  ['http://0.0.0.0/', 'loopback'],
  ['http://[::1]/', 'loopback'],
  ['http://[::]/', 'loopback'],
  ['http://[::ffff:127.0.0.1]/', 'loopback'],
  ['http://[::127.0.0.1]/', 'loopback'],
  ['http://[64:ff9b::7f00:1]/', 'loopback'],
  ['http://localhost/', 'loopback'],
  ['http://LOCALHOST./', 'loopback'],
  ['http://a.localhost/', 'loopback'],
  ['http://10.1.2.3/', 'private'],
  ['http://192.168.0.1/', 'private'],
  ['http://172.31.0.1/', 'private'],
  ['http://169.254.169.254/', 'private'],
  ['http://100.100.100.200/', 'private'],
  ['http://[fd00::1]/', 'private'],
  ['http://[fe80::1]/', 'private'],
  ['http://[::ffff:10.0.0.1]/', 'private'],
  ['http://[::ffff:0:10.0.0.1]/', 'private'],
  ['http://[::ffff:0:127.0.0.1]/', 'loopback'],
  ['http://[2002:c0a8:1::]/', 'private'],
  ['http://[2001::1]/', 'private'],
  ['http://[64:ff9b:1::a00:1]/', 'private'],
  ['http://printer.local/', 'private'],
  ['http://metadata.google.internal/', 'private'],
  ['http://8.8.8.8/', 'public'],
  ['http://172.32.0.1/', 'public'],
  ['http://[2606:4700::1]/', 'public'],
  ['http://example.com/', null],
] as const)('classifies %s [safety 26]', (url, reach) => {
  expect(reachOfName(new URL(url))).toBe(reach);
});

it('resolves other names', async () => {
  expect(await reachOf(new URL('http://localhost/'))).toBe('loopback');
  expect(await reachOf(new URL('http://nobody.invalid/'))).toBe('public');
});

it.each([
  ['::ffff:8.8.8.8', '8.8.8.8'],
  ['::ffff:808:808', '8.8.8.8'],
  ['64:ff9b::808:808', '8.8.8.8'],
  ['8.8.8.8', '8.8.8.8'],
  ['2606:4700::1', '2606:4700::1'],
])('finds the IPv4 address in %s', (ip, plain) => {
  expect(plainIp(ip)).toBe(plain);
});
