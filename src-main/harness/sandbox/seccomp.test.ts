import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { optional } from '../../contract/shared/optional';
import type { SandboxAccess } from '../backends/commands';
import { createSandbox } from './index';
import { seccompFilter } from './seccomp';
import {
  bubblewrap,
  folderForTest,
  giveToNobody,
  mayBeNobody,
  runProgram,
  skippedNote,
  whySkipped,
} from './testing/bubblewrap';

/** Makes each call that the filter refuses and prints its name and error. */
const PROBE = String.raw`
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void say(const char *name, long answer) { printf("%s %s\n", name, answer < 0 ? strerrorname_np(errno) : "ok"); fflush(stdout); }
#define CALL(name, ...) do { errno = 0; say(#name, syscall(__VA_ARGS__)); } while (0)
int main(void) {
  char buffer[256] = {0};
  CALL(mount, SYS_mount, "none", "/tmp", "tmpfs", 0, 0);
  CALL(umount2, SYS_umount2, "/proc", 2);
  CALL(pivot_root, SYS_pivot_root, "/", "/");
  CALL(fsopen, 430, "tmpfs", 0);
  CALL(open_tree, 428, -100, "/", 1);
  CALL(bpf, SYS_bpf, 0, buffer, sizeof buffer);
  CALL(keyctl, SYS_keyctl, 0, -3, 0);
  CALL(add_key, SYS_add_key, "user", "x", "y", 1, -2);
  CALL(request_key, SYS_request_key, "user", "x", 0, -2);
  CALL(perf_event_open, SYS_perf_event_open, buffer, 0, -1, -1, 0);
  CALL(io_uring_setup, 425, 1, buffer);
  CALL(userfaultfd, SYS_userfaultfd, 0);
  CALL(init_module, SYS_init_module, buffer, 1, "");
  CALL(kexec_load, SYS_kexec_load, 0, 0, 0, 0);
  CALL(open_by_handle_at, SYS_open_by_handle_at, -100, buffer, 0);
  CALL(setns, SYS_setns, 0, 0);
  CALL(unshare_user, SYS_unshare, CLONE_NEWUSER);
  CALL(unshare_mounts, SYS_unshare, CLONE_NEWNS);
  CALL(unshare_files, SYS_unshare, CLONE_FILES);
  CALL(clone3, 435, buffer, 64);
  CALL(clone_user, SYS_clone, CLONE_NEWUSER | 17, 0, 0, 0, 0);
  CALL(ptrace_attach, SYS_ptrace, PTRACE_ATTACH, getppid(), 0, 0);
  CALL(process_vm_readv, SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0);
  CALL(tiocsti, SYS_ioctl, 0, 0x5412, "x");
  CALL(tiocsti_wide, SYS_ioctl, 0, 0xffffffff00005412UL, "x");
  CALL(vsock, SYS_socket, 40, SOCK_STREAM, 0);
  CALL(packet, SYS_socket, 17, SOCK_RAW, 0);
  CALL(unix, SYS_socket, AF_UNIX, SOCK_STREAM, 0);
  CALL(inet, SYS_socket, AF_INET, SOCK_STREAM, 0);
  int pair[2];
  say("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  pid_t child = fork();
  if (child == 0) { ptrace(PTRACE_TRACEME, 0, 0, 0); _exit(0); }
  int status;
  say("fork", waitpid(child, &status, 0));
#ifdef __x86_64__
  child = fork();
  if (child == 0) { syscall(0x40000000 | 39); _exit(0); }
  waitpid(child, &status, 0);
  printf("x32 %s\n", WIFSIGNALED(status) ? "killed" : "ok"); fflush(stdout);
  child = fork();
  if (child == 0) { long answer; __asm__ volatile("int $0x80" : "=a"(answer) : "a"(20)); _exit(0); }
  waitpid(child, &status, 0);
  printf("i386 %s\n", WIFSIGNALED(status) ? "killed" : "ok");
#endif
  return 0;
}
`;
const EPERM = [
  'mount',
  'umount2',
  'pivot_root',
  'fsopen',
  'open_tree',
  'bpf',
  'keyctl',
  'add_key',
  'request_key',
  'perf_event_open',
  'userfaultfd',
  'init_module',
  'kexec_load',
  'open_by_handle_at',
  'setns',
  'unshare_user',
  'unshare_mounts',
  'clone_user',
  'ptrace_attach',
  'process_vm_readv',
  'tiocsti',
  'tiocsti_wide',
];

const compiler = ['/usr/bin/gcc', '/usr/bin/cc', '/usr/bin/clang'].find((path) => existsSync(path));
const why =
  whySkipped ??
  (compiler === undefined ? 'no C compiler' : null) ??
  (seccompFilter('read-write') === null ? `no filter for ${process.arch}` : null);

let base = '';
let folder = '';
beforeEach(() => {
  base = folderForTest();
  folder = join(base, 'project');
  for (const path of ['project', 'home/deep', 'data']) mkdirSync(join(base, path), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function run(
  command: string,
  options: { access?: SandboxAccess; as?: 'nobody'; program?: string } = {},
) {
  const { access = 'read-write', program = '/bin/bash' } = options;
  const sandbox = createSandbox({
    found: bubblewrap,
    folder,
    home: join(base, 'home'),
    own: [join(base, 'data')],
    temporary: join(base, 'data/tmp'),
    isSecret: () => false,
    hosts: () => ({ allow: [], deny: [] }),
  });
  const box = await sandbox.enter({ cwd: folder, access });
  const ended = await runProgram(
    box.wrap({ file: program, args: ['-c', command] }),
    options.as === undefined ? {} : { as: options.as },
  );
  return { ...ended, ...(await box.leave(ended)) };
}

describe.skipIf(why !== null)(
  `system calls in the sandbox${why === null ? '' : ` (skipped: ${why})`}`,
  () => {
    const answers = (output: string) =>
      Object.fromEntries(
        output
          .trim()
          .split('\n')
          .map((line) => line.split(' ')),
      );
    const build = () => {
      writeFileSync(join(base, 'probe.c'), PROBE);
      execFileSync(compiler ?? '', ['-w', '-o', join(folder, 'probe'), join(base, 'probe.c')]);
    };

    it.each([
      ['read-write', 'ok', undefined],
      ['read-only', 'EACCES', undefined],
      ...(mayBeNobody ? ([['read-write', 'ok', 'nobody']] as const) : []),
    ] as const)(
      'that bypass it are refused: %s, sockets of this machine %s, as %s [safety 17]',
      async (access, unix, as) => {
        build();
        if (as !== undefined) giveToNobody(base);
        const { output } = await run('./probe', { access, ...optional({ as }) });
        const found = answers(output);
        expect(Object.fromEntries(EPERM.map((name) => [name, found[name]]))).toEqual(
          Object.fromEntries(EPERM.map((name) => [name, 'EPERM'])),
        );
        expect(found).toMatchObject({
          clone3: 'ENOSYS',
          io_uring_setup: 'ENOSYS',
          vsock: 'EAFNOSUPPORT',
          packet: 'EAFNOSUPPORT',
          unix,
          inet: 'ok',
          socketpair: 'ok',
          fork: 'ok',
          unshare_files: 'ok',
          ...(process.arch === 'x64' ? { x32: 'killed', i386: 'killed' } : {}),
        });
      },
    );
  },
);

describe.skipIf(whySkipped !== null)(`sandbox limits besides files${skippedNote}`, () => {
  const limits = whySkipped === null ? bubblewrap.lacks : {};

  it.skipIf(limits?.namespaces !== undefined)(
    `prevent new namespaces from any program [safety 17]${limits?.namespaces === undefined ? '' : ` (skipped: ${limits.namespaces})`}`,
    async () => {
      for (const access of ['read-write', 'read-only'] as const) {
        const { output } = await run(
          'unshare -U true; unshare -rm true; unshare -n true; cat /proc/self/status | grep Seccomp:; ls -l /proc/self/fd | grep -c bpf',
          { access },
        );
        expect(output).toMatch(/unshare failed/);
        expect(output).toMatch(/Seccomp:\s+2/);
        // No process inherits the filter's descriptor.
        expect(output).toMatch(/^0$/m);
      }
    },
  );

  const node = process.execPath;
  const ask = (address: string) =>
    `${node} -e "require('net').connect(${address}).on('data',d=>console.log(''+d)).on('error',e=>console.log(e.code))"`;
  const listen = (path: string) =>
    new Promise<Server>((resolve) => {
      const server = createServer((socket) => socket.on('error', () => undefined).end('reached'));
      server.listen(path, () => resolve(server));
    });

  it('prevent connections to sockets outside the folder, including those without a path [safety 17]', async () => {
    const outside = join(base, 'home/deep/service.sock');
    const inside = join(folder, 'own.sock');
    const servers = await Promise.all([listen(outside), listen(inside), listen('\0deepdesk-abstract')]);
    try {
      expect((await run(ask(`'${outside}'`))).output).not.toContain('reached');
      expect((await run(ask("'\\0deepdesk-abstract'"))).output).not.toContain('reached');
      expect((await run(ask(`'${inside}'`))).output).toContain('reached');
      expect((await run(ask(`'${inside}'`), { access: 'read-only' })).output).not.toContain('reached');
    } finally {
      for (const server of servers) server.close();
    }
  });
});
