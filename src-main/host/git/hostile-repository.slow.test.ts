import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../contract/result';
import { switchTo } from './branches';
import { runGit } from './run-git';
import {
  base,
  codeOf,
  first,
  folder,
  git,
  must,
  project,
  run,
  signal,
  start,
  status,
  stop,
  write,
} from './testing/git-project';
import { compare, transfer } from './transfer';

beforeEach(start);
afterEach(stop);

describe('a hostile repository', () => {
  it('runs nothing from its configuration, hooks, filters or remote', async () => {
    first();
    const remote = join(base, 'remote.git');
    run('init', '-q', '--bare', remote);
    run('remote', 'add', 'origin', remote);
    const ran = join(base, 'ran');
    mkdirSync(ran);
    const program = (name: string) => `touch ${join(ran, name)}; cat`;
    const planted: Record<string, string> = {
      'core.fsmonitor': program('fsmonitor'),
      'core.sshCommand': program('ssh'),
      'core.editor': program('editor'),
      'core.pager': program('pager'),
      'core.askPass': program('askpass'),
      'credential.helper': `!${program('credential')}`,
      'filter.x.clean': program('clean'),
      'filter.x.smudge': program('smudge'),
      'diff.x.textconv': program('textconv'),
      'diff.x.command': program('diff'),
      'diff.external': program('external'),
      'merge.x.driver': program('merge'),
      'gpg.program': program('gpg'),
      'commit.gpgSign': 'true',
      'push.gpgSign': 'if-asked',
      'remote.origin.receivepack': program('receivepack'),
      'remote.origin.uploadpack': program('uploadpack'),
      'remote.origin.vcs': 'x',
      'url.ext::x.insteadOf': remote,
      'protocol.ext.allow': 'always',
      'interactive.diffFilter': program('interactive'),
      'sequence.editor': program('sequence'),
    };
    for (const [key, value] of Object.entries(planted)) run('config', key, value);
    write('.gitattributes', '* filter=x diff=x merge=x\n');
    for (const place of [join(folder, '.git/hooks'), join(remote, 'hooks')])
      for (const hook of [
        'pre-commit',
        'commit-msg',
        'post-commit',
        'post-checkout',
        'pre-push',
        'post-index-change',
        'reference-transaction',
        'pre-receive',
        'update',
        'post-receive',
      ]) {
        mkdirSync(place, { recursive: true });
        writeFileSync(join(place, hook), `#!/bin/sh\ntouch ${join(ran, `hook-${hook}`)}\n`);
        chmodSync(join(place, hook), 0o755);
      }
    write('a.txt', 'changed\n');
    const before = await status();
    expect(before.ignored).toEqual(
      expect.arrayContaining(['core.fsmonitor', 'filter.x.clean', 'url.ext::x.insteadof']),
    );
    const { digest } = must(await git.file(project, 'a.txt', false, signal));
    must(await git.stageHunk(project, { path: 'a.txt', hunk: 0, digest, staged: true }));
    must(await git.stage(project, ['.gitattributes'], true));
    expect(must(await git.commit(project, { message: 'm', amend: false }, signal)).skippedHooks).toBe(true);
    must(await git.inRepository(project, (one) => switchTo(git, one, { branch: 'b', create: true }, signal)));
    must(
      await git.inRepository(project, (one) => switchTo(git, one, { branch: 'main', create: false }, signal)),
    );
    const shown = must(await git.inRepository(project, (one) => compare(one, 'push', signal))).transfer;
    if (shown === null) throw new Error('There is nothing to push.');
    must(await git.inRepository(project, (one) => transfer(git, one, 'push', shown, signal)));
    expect(execFileSync('ls', [ran], { encoding: 'utf8' })).toBe('');
  });

  it('is refused if its .git leads git to write elsewhere', async () => {
    first();
    const target = join(base, 'target');
    writeFileSync(target, 'precious');
    symlinkSync(target, join(folder, '.git/COMMIT_EDITMSG.lock'));
    expect(codeOf(await git.status(project, signal))).toBe('git_unsafe');
    expect(readFileSync(target, 'utf8')).toBe('precious');
  });

  it('runs its hooks only once the person allowed exactly these', async () => {
    first();
    const hook = join(folder, '.git/hooks/pre-commit');
    mkdirSync(join(folder, '.git/hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch ${join(base, 'ran')}\n`);
    chmodSync(hook, 0o755);
    const { hooks } = await status();
    expect(hooks).toMatchObject({ names: ['pre-commit'], allowed: false });
    must(await git.allowHooks(project, String(hooks?.digest)));
    must(await git.commit(project, { message: 'm', amend: true }, signal));
    expect(existsSync(join(base, 'ran'))).toBe(true);
    rmSync(join(base, 'ran'));
    git.disallowHooks(String(hooks?.digest));
    expect((await status()).hooks?.allowed).toBe(false);
    expect(must(await git.commit(project, { message: 'm', amend: true }, signal)).skippedHooks).toBe(true);
    expect(existsSync(join(base, 'ran'))).toBe(false);
    must(await git.allowHooks(project, String(hooks?.digest)));
    writeFileSync(hook, '#!/bin/sh\nexit 1\n');
    expect((await status()).hooks?.allowed).toBe(false);
    expect(codeOf(await git.allowHooks(project, String(hooks?.digest)))).toBe('git_hooks_changed');
    must(await git.commit(project, { message: 'n', amend: true }, signal));
  });

  const allowHook = async (text: string) => {
    first();
    const hook = join(folder, '.git/hooks/pre-commit');
    mkdirSync(join(folder, '.git/hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\n${text}\n`);
    chmodSync(hook, 0o755);
    must(await git.allowHooks(project, String((await status()).hooks?.digest)));
    write('a.txt', 'changed\n');
    must(await git.stage(project, ['a.txt'], true));
  };

  it('says that a hook refused a commit, with what it wrote', async () => {
    await allowHook('echo "3 problems"; exit 1');
    expect(await git.commit(project, { message: 'm', amend: false }, signal)).toMatchObject({
      ok: false,
      error: { code: 'git_hook_failed', detail: '3 problems' },
    });
  });

  it('does not take what a hook wrote for an error of git', async () => {
    for (const wrote of [
      "The key 'a' already exists",
      'Your local changes are not formatted',
      'npm ERR! Could not resolve host: registry',
      'git@example.com: Permission denied (publickey).',
      'There are unmerged files in the queue',
    ]) {
      await allowHook(`cat <<'END'\n${wrote}\nEND\nexit 1`);
      expect(await git.commit(project, { message: 'm', amend: false }, signal)).toMatchObject({
        ok: false,
        error: { code: 'git_hook_failed', detail: wrote },
      });
      rmSync(join(folder, '.git'), { recursive: true });
      run('init', '-q');
    }
  });

  it('says that nothing is staged after a hook that wrote something and succeeded', async () => {
    await allowHook('echo checked');
    must(await git.commit(project, { message: 'm', amend: false }, signal));
    expect(codeOf(await git.commit(project, { message: 'm', amend: false }, signal))).toBe(
      'git_nothing_staged',
    );
  });

  it('leaves no lock behind when git is stopped', async () => {
    const lock = join(folder, '.git/index.lock');
    await allowHook('while :; do sleep 0.05; done');
    const stop = new AbortController();
    // Git holds its lock while the hook runs, because it commits one file.
    const run = { signal: stop.signal, hooks: join(folder, '.git/hooks') };
    const committed = git.inRepository(project, async (repository) =>
      ok(await runGit(repository, ['commit', '-qm', 'm', 'a.txt'], run)),
    );
    await expect.poll(() => existsSync(lock)).toBe(true);
    stop.abort();
    expect(must(await committed).end).toBe('cancelled');
    expect(existsSync(lock)).toBe(false);
  });

  it('asks again when a script beside its hooks changes, or one that Husky runs', async () => {
    first();
    run('config', 'core.hooksPath', '.husky/_');
    mkdirSync(join(folder, '.husky/_'), { recursive: true });
    write('.husky/_/pre-commit', '#!/bin/sh\n. "$(dirname "$0")/h"\n');
    write('.husky/_/h', 'sh .husky/pre-commit\n');
    write('.husky/pre-commit', 'true\n');
    for (const changed of ['.husky/_/h', '.husky/pre-commit', '.husky/_/pre-commit']) {
      must(await git.allowHooks(project, String((await status()).hooks?.digest)));
      expect((await status()).hooks).toMatchObject({ names: ['pre-commit'], allowed: true });
      write(changed, 'echo changed\n');
      expect((await status()).hooks?.allowed).toBe(false);
    }
  });
});
