import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { etcView } from './etc-view';
import { gitIdentity } from './git-identity';
import { createSandbox } from './index';
import { bubblewrap, folderForTest, runProgram, whySkipped } from './testing/bubblewrap';

let base = '';
beforeEach(() => {
  base = folderForTest();
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(base, { recursive: true, force: true });
});

const write = (path: string, text: string, mode = 0o644) => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
  chmodSync(join(base, path), mode);
};

describe.skipIf(process.platform !== 'linux')('the copy of /etc', () => {
  const view = (gitConfig = '') =>
    etcView({ folder: join(base, 'copies'), gitConfig, from: join(base, 'etc') });
  /** Later than the time for which originals count as unchanged. */
  let clock = 0;
  const later = () => {
    clock = Math.max(clock, performance.now()) + 60_000;
    vi.spyOn(performance, 'now').mockReturnValue(clock);
  };
  const copyOf = async (gitConfig?: string) => {
    const [{ from = '', shows = [] } = {}] = await view(gitConfig);
    return { from, shows, read: (name: string) => readFileSync(join(from, name), 'utf8') };
  };

  it('contains what programs need and nothing else, especially no files that only some users may read [safety 17]', async () => {
    write('etc/hosts', '127.0.0.1 localhost\n');
    write('etc/ssl/certs/a.pem', 'certificate');
    write('etc/ssl/private/key.pem', 's3cret');
    write('etc/shadow', 's3cret', 0o640);
    write('etc/gitconfig', '[credential]\n\thelper = s3cret\n');
    write('etc/maven/settings.xml', 's3cret', 0o600);
    write('etc/perl/Net/libnet.cfg', 'text');
    write('outside', 's3cret', 0o600);
    symlinkSync('../outside', join(base, 'etc/passwd'));
    symlinkSync('hosts', join(base, 'etc/services'));
    symlinkSync('/nowhere', join(base, 'etc/group'));
    mkdirSync(join(base, 'etc/alternatives'));
    symlinkSync('/usr/bin/vim', join(base, 'etc/alternatives/editor'));
    const { from, shows, read } = await copyOf();
    expect(readdirSync(from, { recursive: true }).map(String).sort()).toEqual([
      'alternatives',
      'alternatives/editor',
      'hosts',
      'maven',
      'perl',
      'perl/Net',
      'perl/Net/libnet.cfg',
      'services',
      'ssl',
      'ssl/certs',
      'ssl/certs/a.pem',
    ]);
    expect(shows.toSorted()).toEqual(
      ['alternatives', 'hosts', 'maven', 'perl', 'services', 'ssl/certs'].map((name) => `/etc/${name}`),
    );
    expect(readlinkSync(join(from, 'alternatives/editor'))).toBe('/usr/bin/vim');
    expect(read('services')).toBe('127.0.0.1 localhost\n');
  });

  it('contains the targets of links that lead elsewhere', async () => {
    write('elsewhere/zone', 'UTC');
    mkdirSync(join(base, 'etc'));
    symlinkSync('../elsewhere/zone', join(base, 'etc/localtime'));
    expect((await copyOf()).read('localtime')).toBe('UTC');
  });

  it('lacks excluded files', async () => {
    write('etc/hosts', '127.0.0.1 localhost\n');
    write('etc/ssl/certs/a.pem', 'certificate');
    const [{ from = '', shows = [] } = {}] = await etcView({
      folder: join(base, 'copies'),
      gitConfig: '',
      leavesOut: /^ssl\//,
      from: join(base, 'etc'),
    });
    expect(shows).toEqual(['/etc/hosts']);
    expect(readdirSync(from)).toEqual(['hosts']);
  });

  it('leaves a large folder that everyone may read where it is, and copies it once a file in it is closed [safety 17]', async () => {
    mkdirSync(join(base, 'etc/alternatives'), { recursive: true });
    for (let index = 0; index < 60; index += 1)
      symlinkSync('/usr/bin/vim', join(base, `etc/alternatives/editor${index}`));
    const alternatives = { path: '/etc/alternatives', from: join(base, 'etc/alternatives') };
    const [copy, ...direct] = await view();
    expect(direct).toEqual([alternatives]);
    expect(copy?.shows).toEqual(['/etc/alternatives']);
    expect(readdirSync(join(copy?.from ?? '', 'alternatives'))).toEqual([]);
    write('etc/alternatives/key', 's3cret', 0o640);
    later();
    const [closed, ...none] = await view();
    expect(none).toEqual([]);
    const names = readdirSync(join(closed?.from ?? '', 'alternatives'));
    expect([names.length, names.includes('key')]).toEqual([60, false]);
  });

  it('is made again when an original changes, and commands keep using the earlier copy', async () => {
    write('etc/hosts', 'one');
    write('etc/fonts/fonts.conf', 'one');
    const first = await copyOf();
    expect((await copyOf()).from).toBe(first.from);
    later();
    expect((await copyOf()).from).toBe(first.from);
    write('etc/fonts/fonts.conf', 'two');
    // The same size and time, as a tool that preserves times would leave it.
    utimesSync(join(base, 'etc/fonts/fonts.conf'), 1, 1);
    later();
    const second = await copyOf();
    expect([first.read('fonts/fonts.conf'), second.read('fonts/fonts.conf')]).toEqual(['one', 'two']);
    expect(second.read('hosts')).toBe('one');
  });

  it('contains git settings if there are some', async () => {
    write('etc/hosts', 'one');
    const { shows, read } = await copyOf('[user]\n\tname = "a"\n');
    expect(shows).toContain('/etc/gitconfig');
    expect(read('gitconfig')).toBe('[user]\n\tname = "a"\n');
    expect(existsSync(join((await copyOf()).from, 'gitconfig'))).toBe(false);
  });
});

const title = `the identity for git${whySkipped === null ? '' : ` (skipped: ${whySkipped})`}`;

describe.skipIf(whySkipped !== null)(title, () => {
  const home = () => join(base, 'home');
  async function run(command: string) {
    const folder = join(base, 'project');
    mkdirSync(folder, { recursive: true });
    const box = await createSandbox({
      found: bubblewrap,
      folder,
      home: home(),
      own: [join(base, 'data')],
      temporary: join(base, 'data/tmp'),
      isSecret: () => false,
      hosts: () => ({ allow: [], deny: [] }),
    }).enter({ cwd: folder, access: 'read-only' });
    const ended = await runProgram(box.wrap({ file: '/bin/bash', args: ['-c', command] }));
    await box.leave(ended);
    return ended.output;
  }

  it("contains the person's name and email address, and nothing else of their configuration [safety 17]", async () => {
    write(
      'home/.gitconfig',
      '[user]\n\tname = Ada "the \\"First\\"" \\\\ Lovelace # comment\n\temail = ada@example.com\n\tsigningKey = s3cret\n[alias]\n\tx = !echo s3cret\n[credential]\n\thelper = store --file s3cret\n[core]\n\thooksPath = /tmp/s3cret\n[url "https://token:s3cret@example.com/"]\n\tinsteadOf = x:\n',
    );
    expect(await run('git config --get user.name; git config --get user.email')).toBe(
      'Ada the "First" \\ Lovelace\nada@example.com\n',
    );
    const all = await run('git config --list; cat /etc/gitconfig');
    expect(all).not.toMatch(/s3cret|alias|credential|hookspath|signingkey/i);
  });

  it("is overridden by the repository's identity", async () => {
    write('home/.gitconfig', '[user]\n\temail = ada@example.com\n');
    expect(
      await run(
        'cd /tmp; git init -q; git config user.email work@example.com; git config --get user.email; git config --get user.name || echo not set',
      ),
    ).toBe('work@example.com\nnot set\n');
  });

  it('follows included files and skips conditional ones', async () => {
    write('home/.config/git/config', '[user]\n\tname = Early\n\temail = early@example.com\n');
    write('home/.gitconfig', '[include]\n\tpath = ~/names\n[includeIf "gitdir:~/work/"]\n\tpath = work\n');
    write('home/names', '[user]\n\tname = Included\n[include]\n\tpath = names\n');
    write('home/work', '[user]\n\temail = work@example.com\n');
    expect(await gitIdentity(home(), {})).toBe('[user]\n\tname = "Included"\n');
  });

  it('is missing if the person has none or the file is not text', async () => {
    expect(await gitIdentity(home(), {})).toBe('');
    write('home/.gitconfig', '[user]\n\tname = "a\\n[alias]\\n\\tx = !y"\n\temail =\n');
    expect(await gitIdentity(home(), {})).toBe('[user]\n\tname = "a\\n[alias]\\n x = !y"\n');
    await expect(run('git config --list')).resolves.not.toContain('alias.x');
  });
});
