import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBridge } from './bridge';
import { detectSandbox, stateOf } from './detect';
import { hostMatches, isOwnMachine, mayReach } from './hosts';
import { noteOn, refusalsIn } from './refusals';
import { seatbeltProfile } from './seatbelt';

describe('finding a sandbox', () => {
  it('says what is missing, and how to get it', async () => {
    const found = await detectSandbox({ platform: 'linux', programs: ['/nowhere/bwrap'] });
    expect(stateOf(found)).toMatchObject({
      kind: null,
      reason: expect.stringContaining('sudo apt install bubblewrap'),
    });
    expect(await detectSandbox({ platform: 'win32' })).toMatchObject({ kind: null });
  });

  it('is only believed after a trial', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deepdesk-trial-'));
    const program = join(folder, 'bwrap');
    writeFileSync(program, '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n');
    chmodSync(program, 0o755);
    expect(await detectSandbox({ platform: 'linux', programs: [program] })).toEqual({
      kind: null,
      reason:
        'bubblewrap is installed but cannot be used here: bwrap: No permissions to create new namespace',
    });
    rmSync(folder, { recursive: true });
  });

  it('says where hosts cannot be allowed one by one', () => {
    expect(findBridge(() => false)).toBeNull();
    expect(findBridge((path) => path.endsWith('python3'))).toMatchObject({ program: '/usr/bin/python3' });
    expect(stateOf({ kind: 'bubblewrap', program: 'b', bridge: null })).toMatchObject({
      kind: 'bubblewrap',
      noHosts: expect.stringContaining('perl'),
    });
  });
});

describe('hosts', () => {
  it.each([
    ['example.com', 'example.com', 443, true],
    ['example.com', 'EXAMPLE.com.', 80, true],
    ['example.com', 'example.com', 22, false],
    ['example.com', 'sub.example.com', 443, false],
    ['example.com', 'notexample.com', 443, false],
    ['*.example.com', 'a.b.example.com', 443, true],
    ['*.example.com', 'example.com', 443, false],
    ['*.example.com', 'evilexample.com', 443, false],
    ['localhost:8080', 'localhost', 8080, true],
    ['localhost:8080', 'localhost', 80, false],
    ['example.com', 'example.com.evil.net', 443, false],
  ])('%s is about %s:%d? %s', (pattern, host, port, expected) => {
    expect(hostMatches(pattern, host, port)).toBe(expected);
  });

  it('are refused by one deny, whatever allows them', () => {
    const list = { allow: ['*.example.com'], deny: ['secret.example.com'] };
    expect([mayReach(list, 'a.example.com', 443), mayReach(list, 'secret.example.com', 443)]).toEqual([
      true,
      false,
    ]);
  });

  it('know the addresses of this machine', () => {
    const own = [
      '127.0.0.1',
      '127.8.8.8',
      '0.0.0.0',
      '169.254.169.254',
      '::1',
      '::',
      '::ffff:127.0.0.1',
      'fe80::1',
    ];
    expect(own.map(isOwnMachine)).toEqual(own.map(() => true));
    expect(['8.8.8.8', '10.0.0.1', '2606::1'].map(isOwnMachine)).toEqual([false, false, false]);
  });
});

describe('what was refused', () => {
  const context = {
    folder: '/p',
    cwd: '/p',
    hidden: ['/home/me/.ssh', '/p/.env'],
    readOnly: ['/p/.git/hooks'],
    hosts: [],
  };
  it.each([
    ['bash: line 1: /etc/x: Read-only file system', [{ what: 'write', name: '/etc/x' }]],
    ["Error: EROFS: read-only file system, open '/usr/x'", [{ what: 'write', name: '/usr/x' }]],
    ["OSError: [Errno 30] Read-only file system: '/usr/x'", [{ what: 'write', name: '/usr/x' }]],
    ["touch: cannot touch '/usr/x': Read-only file system", [{ what: 'write', name: '/usr/x' }]],
    ['cat: /home/me/.ssh/id_rsa: Permission denied', [{ what: 'read', name: '/home/me/.ssh/id_rsa' }]],
    ['grep: .env: Permission denied', [{ what: 'read', name: '.env' }]],
    ["Error: EACCES: permission denied, open '/p/.env'", [{ what: 'read', name: '/p/.env' }]],
    ["rm: cannot remove '.git/hooks/x': Operation not permitted", [{ what: 'write', name: '.git/hooks/x' }]],
    ['cat: private.txt: Permission denied', []],
    ['curl: (6) Could not resolve host: example.com', [{ what: 'network', name: 'example.com' }]],
    [
      'npm error getaddrinfo EAI_AGAIN packages.example.com',
      [{ what: 'network', name: 'packages.example.com' }],
    ],
    ['curl: (7) Failed to connect to 127.0.0.1 port 3000', []],
    ['connect: Network is unreachable', [{ what: 'network', name: '' }]],
    ['all is well', []],
  ])('is found in: %s', (output, expected) => {
    expect(refusalsIn(output, context)).toEqual(expected);
  });

  it('takes hosts from the proxy, each once, and few of many', () => {
    const output = 'Could not resolve host: a.example.com';
    expect(refusalsIn(output, { ...context, hosts: ['a.example.com'] })).toHaveLength(1);
    const many = Array.from({ length: 50 }, (_, i) => `/etc/${i}: Read-only file system`).join('\n');
    expect(refusalsIn(many, context)).toHaveLength(6);
  });

  it('is told with what holds and how to ask', () => {
    expect(noteOn([], [], { folder: '/p', hosts: [] })).toBeNull();
    expect(noteOn([{ what: 'network', name: '' }], [], { folder: '/p', hosts: ['a.com'] })).toBe(
      '[This ran in the sandbox, which did not let it reach the network. Commands there write only in /p and /tmp, reach only a.com, and see no keys. If it is needed, run it again with outside_sandbox and the reason: the person is asked then.]',
    );
  });
});

describe('the profile for macOS', () => {
  it('denies the network and all writing but in the folder, and hides what is to be hidden', () => {
    const profile = seatbeltProfile({
      folder: '/Users/me/a "b"',
      temporary: '/private/tmp/x',
      writable: [],
      hidden: [{ path: '/Users/me/.ssh', kind: 'folder' }],
      repositories: ['/Users/me/a "b"/.git'],
      readOnly: ['/Users/me/a "b"/.git/hooks'],
    });
    expect(profile.split('\n')).toEqual(
      expect.arrayContaining([
        '(deny network*)',
        '(deny file-write*)',
        '(allow file-write* (subpath "/Users/me/a \\"b\\"") (subpath "/private/tmp/x"))',
        '(deny file-read* file-write* (subpath "/Users/me/.ssh"))',
        '(deny file-write* (subpath "/Users/me/a \\"b\\"/.git/hooks"))',
      ]),
    );
  });
});
