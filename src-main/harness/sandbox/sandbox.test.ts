import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostMatches } from '../../base/network/host-matches';
import { standardTime } from '../../base/testing/processor-time';
import { because } from '../../contract/shared/reasons';
import { findBridge } from './bridge';
import { detectSandbox, stateOf } from './detect';
import { isNamed, localPorts, mayReach } from './hosts';
import { lacksPermission, leftOut, noteOn, refusalsIn } from './refusals';
import { seatbeltProfile } from './seatbelt';
import { bubblewrap, skippedNote, whySkipped } from './testing/bubblewrap';

describe('sandbox detection', () => {
  it('reports what is missing and how to install it', async () => {
    const found = await detectSandbox({ platform: 'linux', programs: ['/nowhere/bwrap'] });
    expect(stateOf(found)).toMatchObject({
      kind: null,
      reason: because('bubblewrap_missing'),
    });
    expect(await detectSandbox({ platform: 'win32' })).toMatchObject({ kind: null });
  });

  it('accepts a sandbox only after a trial', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deepdesk-trial-'));
    const program = join(folder, 'bwrap');
    writeFileSync(program, '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n');
    chmodSync(program, 0o755);
    expect(await detectSandbox({ platform: 'linux', programs: [program] })).toEqual({
      kind: null,
      reason: because('bubblewrap_fails', {
        why: because('external', { text: 'bwrap: No permissions to create new namespace' }),
      }),
    });
    rmSync(folder, { recursive: true });
  });

  it.skipIf(whySkipped !== null).each([
    ['--disable-userns', 'namespaces', 'namespaces_open'],
    ['--seccomp', 'seccomp', 'system_calls_open'],
  ])(
    `works without %s if that fails, and says why [safety 34]${skippedNote}`,
    async (option, feature, code) => {
      const folder = mkdtempSync(join(tmpdir(), 'deepdesk-trial-'));
      const program = join(folder, 'bwrap');
      writeFileSync(
        program,
        `#!/bin/sh\nfor word do [ "$word" = ${option} ] && { echo "bwrap: Unknown option ${option}" >&2; exit 1; }; done\nexec ${bubblewrap.program} "$@"\n`,
        { mode: 0o755 },
      );
      const found = await detectSandbox({ platform: 'linux', programs: [program] });
      const why = because('external', { text: `bwrap: Unknown option ${option}` });
      expect(found).toMatchObject({ kind: 'bubblewrap', program, lacks: { [feature]: why } });
      expect(stateOf(found).lacking).toContainEqual({ code, values: { why } });
      rmSync(folder, { recursive: true });
    },
  );

  it.skipIf(whySkipped !== null)(
    `rejects a sandbox that confines nothing [safety 34]${skippedNote}`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'deepdesk-trial-'));
      const program = join(folder, 'bwrap');
      writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
      expect(await detectSandbox({ platform: 'linux', programs: [program] })).toMatchObject({
        kind: null,
        reason: because('bubblewrap_fails', { why: because('own_tmp_not_writable') }),
      });
      rmSync(folder, { recursive: true });
    },
  );

  it('reports if hosts cannot be allowed individually', () => {
    expect(findBridge(() => false)).toBeNull();
    expect(findBridge((path) => path.endsWith('python3'))).toMatchObject({ program: '/usr/bin/python3' });
    expect(stateOf({ kind: 'bubblewrap', program: 'b', bridge: null })).toMatchObject({
      kind: 'bubblewrap',
      noHosts: because('no_interpreter_for_hosts'),
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
    ['[::1]:8080', '::1', 8080, true],
    ['[::1]:8080', '[::1]', 8080, true],
    ['[::1]', '::1', 443, true],
    ['::1', '::1', 443, true],
    ['::1:8080', '::1', 8080, true],
    ['fe80::1', 'fe80::1', 443, true],
    ['fe80::1', 'fe80::2', 443, false],
    ['[FE80:0::1]:9000', 'fe80::1', 9000, true],
    ['127.0.0.1:5432', '::ffff:127.0.0.1', 5432, true],
    ['8.8.8.8', '[::ffff:808:808]', 443, true],
    ['0x08080808', '8.8.8.8', 443, true],
    ['134744072', '8.8.8.8', 443, true],
    ['010.8.8.8', '8.8.8.8', 443, true],
    ['bücher.de', 'xn--bcher-kva.de', 443, true],
    ['*.bücher.de', 'www.xn--bcher-kva.de', 443, true],
    ['*.bücher.de', 'xn--bcher-kva.de', 443, false],
    ['example.com.', 'example.com', 443, true],
    ['ｅxample.com', 'example.com', 443, true],
    ['a@example.com', 'example.com', 443, false],
    ['example.com/a', 'example.com', 443, false],
    ['ex%61mple.com', 'example.com', 443, false],
    ['*', 'example.com', 443, false],
    ['*.', 'example.com', 443, false],
  ])('%s matches %s:%d? %s', (pattern, host, port, expected) => {
    expect(hostMatches(pattern, host, port)).toBe(expected);
  });

  it('are refused by one deny rule, whatever allows them', () => {
    const list = { allow: ['*.example.com'], deny: ['secret.example.com'] };
    expect([mayReach(list, 'a.example.com', 443), mayReach(list, 'secret.example.com', 443)]).toEqual([
      true,
      false,
    ]);
  });

  it('lead to this machine or its network only if a rule names exactly that [safety 20]', () => {
    const named = (allow: string[], host: string, port: number) => isNamed({ allow, deny: [] }, host, port);
    expect(named(['localhost:8080'], 'localhost', 8080)).toBe(true);
    expect(named(['app.localhost:8080'], 'app.localhost', 8080)).toBe(true);
    expect(named(['10.0.0.1'], '10.0.0.1', 443)).toBe(true);
    expect(named(['*.0.0.1'], '10.0.0.1', 443)).toBe(false);
    expect(named(['*.localhost:8080'], 'app.localhost', 8080)).toBe(false);
    expect(named(['localhost:8080'], 'localhost', 8081)).toBe(false);
    expect(named(['example.com'], 'example.com', 443)).toBe(false);
  });
});

describe('ports of this computer', () => {
  it('are those that a pattern names with a loopback host and a port that needs no privilege', () => {
    const allow = [
      'localhost:5432',
      '127.0.0.1:5432',
      '127.0.0.2:8080',
      'app.LOCALHOST:3000',
      'localhost',
      'localhost:80',
    ];
    const others = [
      'example.com:8080',
      '*.localhost:4000',
      '10.0.0.1:9000',
      'notlocalhost:9001',
      '[::1]:9002',
    ];
    expect(localPorts({ allow: [...allow, ...others] })).toEqual([
      { host: 'localhost', port: 5432 },
      { host: '127.0.0.2', port: 8080 },
      { host: 'app.LOCALHOST', port: 3000 },
    ]);
    const many = Array.from({ length: 40 }, (_, index) => `localhost:${2_000 + index}`);
    expect(localPorts({ allow: many })).toHaveLength(16);
  });
});

describe('refusals', () => {
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
    [
      "HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded with url: /simple/x/ (Caused by NewConnectionError('<urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution'))",
      [{ what: 'network', name: 'pypi.org' }],
    ],
    ['connect: Network is unreachable', [{ what: 'network', name: '' }]],
    ['all is well', []],
  ])('are found in: %s', (output, expected) => {
    expect(refusalsIn(output, context)).toEqual(expected);
  });

  it.each(['a', '/', '.;,', 'host', "'hosta.b", 'EROFS: ', 'cannot create a', "cannot open 'a", 'a: '])(
    'are searched in one long line of output in little time: %s',
    async (part) => {
      const output = part.repeat(60_000 / part.length);
      const search = async () => {
        refusalsIn(output, { cwd: '/work', hidden: [], readOnly: [], hosts: [], exitCode: 1 });
        await leftOut(output, { cwd: '/work', isShown: () => true });
        await lacksPermission(output, { cwd: '/work', exitCode: 1 });
      };
      expect(await standardTime(search, 1)).toBeLessThan(500);
    },
  );

  it("include the proxy's hosts, each once, up to a limit", () => {
    const output = 'Could not resolve host: a.example.com';
    expect(refusalsIn(output, { ...context, hosts: [{ name: 'a.example.com' }] })).toHaveLength(1);
    const many = Array.from({ length: 50 }, (_, i) => `/etc/${i}: Read-only file system`).join('\n');
    expect(refusalsIn(many, context)).toHaveLength(6);
  });

  it('name the local address of an allowed host, because the rule about the name is not what is missing', () => {
    const refused = [{ what: 'network' as const, name: '10.1.2.3', via: 'npm.example.com' }];
    const output = 'curl: (7) Failed to connect to npm.example.com port 443';
    const hosts = [{ name: '10.1.2.3', via: 'npm.example.com' }];
    expect(refusalsIn(output, { ...context, hosts })).toEqual(refused);
    expect(noteOn(refused, [], { folder: '/p', hosts: ['npm.example.com'] })).toContain(
      'did not let it reach 10.1.2.3, the local address of npm.example.com, which needs a rule of its own.',
    );
  });

  it('are reported with what applies and how to ask', () => {
    expect(noteOn([], [], { folder: '/p', hosts: [] })).toBeNull();
    const refused = [{ what: 'network' as const, name: '' }];
    const note =
      '[This ran in the sandbox, which did not let it reach the network. Commands there write only in /p and /tmp, reach only a.com, and see no keys.';
    expect(noteOn(refused, [], { folder: '/p', hosts: ['a.com'], canAskOutside: true })).toBe(
      `${note} If it needs that, run it again with outside_sandbox and the reason: the person is then asked.]`,
    );
    // Where that argument is not offered, nobody would be asked.
    expect(noteOn(refused, [], { folder: '/p', hosts: ['a.com'] })).toBe(`${note}]`);
    expect(noteOn([], ['.vscode'], { folder: '/p', hosts: [], changed: ['.git/config'] })).not.toContain(
      'person',
    );
  });
});

describe('the profile for macOS', () => {
  it('shows a read-only command nothing but the folder, the system and toolchains [safety 17]', () => {
    const profile = seatbeltProfile({
      access: 'read-only',
      folder: '/Users/me/a',
      temporary: '/private/tmp/x',
      writable: [],
      hidden: [{ path: '/Users/me/a/.env', kind: 'file' }],
      toolchains: [{ path: '/Users/me/.nvm', real: '/Users/me/.nvm', secrets: [] }],
      commonFolder: null,
      pinned: [],
      readOnly: [],
    }).split('\n');
    const at = (start: string) => profile.findIndex((line) => line.startsWith(start));
    expect(profile).toContain('(allow file-write* (subpath "/private/tmp/x"))');
    expect(at('(deny file-read*)')).toBeGreaterThan(at('(allow default)'));
    expect(at('(allow file-read* (literal "/")')).toBeGreaterThan(at('(deny file-read*)'));
    expect(profile[at('(allow file-read* (literal "/")')]).toMatch(
      /"\/usr".*"\/Users\/me\/\.nvm".*"\/Users\/me\/a"/,
    );
    expect(profile.filter((line) => line.startsWith('(allow')).join()).not.toMatch(
      /"\/Users"|"\/Users\/me"|"\/private\/var"\)/,
    );
    expect(at('(deny file-read* file-write* (subpath "/Users/me/a/.env"))')).toBeGreaterThan(
      at('(allow file-read* (literal'),
    );
  });

  it('denies the network and all writes outside the folder, and hides secret places', () => {
    const profile = seatbeltProfile({
      folder: '/Users/me/a "b"',
      temporary: '/private/tmp/x',
      writable: [],
      hidden: [{ path: '/Users/me/.ssh', kind: 'folder' }],
      pinned: ['/Users/me/a "b"/.git'],
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
