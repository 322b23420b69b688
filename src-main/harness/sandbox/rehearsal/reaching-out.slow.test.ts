import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mayBeNobody, noteOnNobody } from '../testing/bubblewrap';
import { base, eachTestHas, folder } from './testing/each-folder';
import { note, rehearsed, removeBundle, whyNoRehearsal, writeIn } from './testing/place';

const MB = 1024 * 1024;
eachTestHas({ 'a.txt': 'a\n' });
afterAll(removeBundle);

const users = [
  ['this user', {}, false],
  [`an ordinary user${noteOnNobody}`, { as: 'nobody' }, !mayBeNobody],
] as const;

/** Makes system calls by number and prints whether each is refused as forbidden, and not only for its arguments. */
const CALLS = `
use strict;
my %numbers = $^O eq "linux" && (() = \`uname -m\` =~ /x86_64/)
  ? (ptrace => 101, keyctl => 250, add_key => 248, io_uring_setup => 425, bpf => 321, perf_event_open => 298,
     userfaultfd => 323, mount => 165, unshare => 272, setns => 308, open_by_handle_at => 304, process_vm_readv => 310)
  : (ptrace => 117, keyctl => 219, add_key => 217, io_uring_setup => 425, bpf => 280, perf_event_open => 241,
     userfaultfd => 282, mount => 40, unshare => 97, setns => 268, open_by_handle_at => 265, process_vm_readv => 270);
my %arguments = (ptrace => [16, getppid(), 0, 0], unshare => [0x10000000, 0, 0, 0], keyctl => [0, -3, 1, 0]);
for my $name (sort keys %numbers) {
  my @own = @{$arguments{$name} // [0, 0, 0, 0]};
  my $found = syscall($numbers{$name}, @own, 0, 0);
  print "$name ", ($found == -1 ? "refused" : "made"), " ", ($!{EPERM} || $!{ENOSYS} || $!{EACCES} ? "as forbidden" : "$!"), "\\n";
}`;

describe.skipIf(whyNoRehearsal !== null)(`a command in a layer${note}`, () => {
  for (const [who, as, isSkipped] of users) {
    it.skipIf(isSkipped || !existsSync('/usr/bin/perl'))(
      `makes no system call that reaches into the kernel or other processes, as ${who}`,
      async () => {
        writeIn(folder, { 'calls.pl': CALLS });
        const { output } = await rehearsed(base, '/usr/bin/perl calls.pl', as);
        const lines = output.trim().split('\n');
        expect(lines).toHaveLength(12);
        expect(lines.filter((line) => !line.endsWith('refused as forbidden'))).toEqual([]);
      },
    );

    it.skipIf(isSkipped)(`changes no setting of the machine, as ${who}`, async () => {
      // Writes what is there already, should it succeed.
      const setting = '/proc/sys/kernel/core_pattern';
      const { output } = await rehearsed(
        base,
        `find /proc/sys/vm /proc/fs /proc/irq /proc/sysrq-trigger -type f -writable 2>/dev/null; (cat ${setting} > ${setting}) 2>/dev/null && echo changed; cat /proc/sys/kernel/ostype`,
        as,
      );
      expect(output).toBe('Linux\n');
    });

    it.skipIf(isSkipped)(`reads no process, home folder or temporary file outside, as ${who}`, async () => {
      writeIn(base, { 'home/notes': 's3cret', 'outside/file': 's3cret' });
      const temporary = mkdtempSync('/tmp/deepdesk-attack-');
      const other = spawn('sleep', ['600'], { env: { KEY: 's3cret' }, stdio: 'ignore' });
      try {
        writeIn(temporary, { file: 's3cret' });
        const { output } = await rehearsed(
          base,
          `cat ${temporary}/file ${base}/home/notes ${base}/outside/file; cat /proc/${other.pid}/environ; cat /proc/[0-9]*/environ | tr '\\0' '\\n'; cat /proc/1/root${base}/outside/file /proc/self/cwd/../../outside/file /proc/self/mounts; ls -A /root /home /srv /opt/.. /run /tmp; ls /proc/*/root/${base}; echo "$(ls -A /tmp | grep -c deepdesk-attack) of others"; echo "$(ls -A /tmp | grep -c deepdesk-attack) of others"; echo over`,
          as,
        );
        expect(output).toMatch(/^over$/m);
        expect(output).not.toContain('s3cret');
        expect(output).toMatch(/^0 of others$/m);
      } finally {
        other.kill('SIGKILL');
        rmSync(temporary, { recursive: true });
      }
    });

    it.skipIf(isSkipped)(`leaves no process behind, whatever it detaches from, as ${who}`, async () => {
      const marker = `${600 + (process.pid % 100)}.${Date.now()}`;
      const { exitCode, manifest } = await rehearsed(
        base,
        `(setsid nohup sleep ${marker} >/dev/null 2>&1 &); (trap "" HUP TERM INT; exec -a hidden sleep ${marker}) & disown -a; /usr/bin/perl -e 'fork and exit; exec "sleep", "${marker}"' >/dev/null 2>&1; echo x > made; exit 0`,
        as,
      );
      expect(exitCode).toBe(0);
      const left = readdirSync('/proc').filter(
        (pid) => /^\d+$/.test(pid) && argumentsOf(pid).includes(marker),
      );
      expect(left).toEqual([]);
      expect(manifest.changes.map(({ path }) => path)).toEqual(['made']);
    });
  }

  it('reaches no socket below a home folder with toolchains, through links in the folder', async () => {
    mkdirSync(join(base, 'home/.local/bin'), { recursive: true });
    const paths = ['outside/s', 'home/.local/bin/s'].map((name) => join(base, name));
    const servers: Server[] = [];
    try {
      for (const path of paths) {
        const server = createServer((socket) => socket.end());
        servers.push(server);
        await new Promise<void>((resolve) => server.listen(path, resolve));
      }
      const script = `for (const path of ["one", "two"]) require("net").connect(path, () => console.log("connected")).on("error", (e) => console.log(e.code))`;
      const links = paths.map((path, at) => `ln -s ${path} ${['one', 'two'][at]}`).join('; ');
      const { output } = await rehearsed(base, `${links}; node -e '${script}'`);
      expect(output.trim().split('\n')).toHaveLength(2);
      expect(output).not.toContain('connected');
    } finally {
      for (const server of servers) server.close();
    }
  });

  const isRoot = process.getuid?.() === 0;
  it.skipIf(isRoot && !mayBeNobody)(
    `cannot hide what it writes in a folder that it closes to its owner${isRoot ? noteOnNobody : ''}`,
    async () => {
      const hidden = 'mkdir d; chmod 300 d; for i in $(seq 400); do head -c 4M /dev/zero > d/$i; done';
      const as = isRoot ? { as: 'nobody' as const } : {};
      expect((await rehearsed(base, hidden, { ...as, limits: { bytes: 24 * MB } })).limit).toBe('bytes');
    },
  );

  it('cannot fill the disk with files that are deleted but open, or with holes', async () => {
    const open = 'exec 7> f; rm f; head -c 1G /dev/zero >&7';
    expect((await rehearsed(base, open, { limits: { bytes: 8 * MB } })).limit).toBe('bytes');
    const holes = await rehearsed(base, 'truncate -s 1M hole; truncate -s 1T huge', {
      limits: { bytes: 8 * MB },
    });
    expect(holes.exitCode).not.toBe(0);
    expect(holes.manifest.changes.find(({ path }) => path === 'hole')?.after?.size).toBe(MB);
  });
});

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has exited.
    return '';
  }
}
