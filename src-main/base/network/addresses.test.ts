import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { isLocalAddress, plainIp, reachOf, reachOfName } from './addresses';

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
  ['2606:4700:0:0::0001', '2606:4700::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::1', '::1'],
])('writes %s in one form', (ip, plain) => {
  expect(plainIp(ip)).toBe(plain);
});

it('recognizes local addresses in any notation [safety 20]', () => {
  const local = [
    ...['127.0.0.1', '127.8.8.8', '0.0.0.0', '0.1.2.3', '169.254.169.254', '100.64.0.1', '100.127.255.255'],
    ...[
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.251',
      '255.255.255.255',
    ],
    ...[
      '::1',
      '::',
      '0:0:0:0:0:0:0:1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:10.0.0.1',
      '::127.0.0.1',
    ],
    ...[
      'fe80::1',
      'fe80::1%eth0',
      'febf::1',
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
    ],
    ...['::ffff:0:127.0.0.1', 'localhost', ''],
  ];
  expect(local.filter((address) => !isLocalAddress(address, []))).toEqual([]);
  const others = [
    '8.8.8.8',
    '100.128.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '2606::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ];
  expect(others.filter((address) => isLocalAddress(address, []))).toEqual([]);
  const own = ['203.0.112.7', '2606:4700::7'];
  expect(
    ['203.0.112.7', '2606:4700:0:0::7', '::ffff:203.0.112.7'].every((one) => isLocalAddress(one, own)),
  ).toBe(true);
  const mine = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  expect(mine.filter((address) => !isLocalAddress(address))).toEqual([]);
});
