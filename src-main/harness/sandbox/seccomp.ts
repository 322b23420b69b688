import type { SandboxAccess } from '../backends/commands';

/*
 * A system call filter as a classic BPF program: its input is `struct seccomp_data`, and its result says whether the call is
 * made. The numbers are those of Linux: asm/unistd_64.h, and asm-generic/unistd.h for arm64.
 */

/** `AUDIT_ARCH_*`: a 32-bit program would use other call numbers and pass. */
const ARCHITECTURES = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
} as const;

const EPERM = 1;
const EACCES = 13;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/**
 * Calls that bypass namespaces or reach into the kernel, and that builds and tests do not need. Null: no such call there.
 */
const REFUSED: Record<string, readonly [x64: number | null, arm64: number | null, errno?: number]> = {
  // Mounts.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  fanotify_init: [300, 262],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  swapon: [167, 224],
  swapoff: [168, 225],
  // Namespaces. The flags of `clone3` are in memory, where no filter can read them; libraries fall back to `clone`.
  setns: [308, 268],
  clone3: [435, 435, ENOSYS],
  // Keys of the session.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Large parts of the kernel.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  io_uring_setup: [425, 425, ENOSYS],
  io_uring_enter: [426, 426, ENOSYS],
  io_uring_register: [427, 427, ENOSYS],
  userfaultfd: [323, 282],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
  uselib: [134, null],
  // Other processes.
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  // The machine itself.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  create_module: [174, null],
  reboot: [169, 142],
  acct: [163, 89],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  vhangup: [153, 58],
  iopl: [172, null],
  ioperm: [173, null],
};

/** Calls that depend on an argument. */
const CLONE = [56, 220] as const;
const UNSHARE = [272, 97] as const;
const IOCTL = [16, 29] as const;
const PTRACE = [101, 117] as const;
const SOCKET = [41, 198] as const;

/** `CLONE_NEW*`: mount, cgroup, UTS, IPC, user, PID, network; and time, which only `unshare` takes. */
const NEW_NAMESPACES = 0x7e020000;
const NEW_TIME = 0x80;
/** Injects input into a terminal as if the person typed it. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** Attaches to a process without its consent. Debuggers attach only to their own children. */
const PTRACE_ATTACH = 16;
const PTRACE_SEIZE = 0x4206;
const FAMILIES = { unix: 1, inet: 2, inet6: 10, netlink: 16 };

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_ANY_BIT = 0x45;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const FAIL = 0x00050000;

/** Offsets in `struct seccomp_data`. These calls use only the lower half of an argument. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number) => 16 + 8 * index;
/** x86-64 calls with 32-bit pointers, which have separate numbers. */
const X32 = 0x40000000;

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

const fail = (errno: number): Instruction => [RETURN, 0, 0, FAIL | errno];
const allow: Instruction = [RETURN, 0, 0, ALLOW];

/** Runs if the call has that number; the check of an argument must end in a result. */
const when = (number: number, then: readonly Instruction[]): Instruction[] => [
  [IF_EQUAL, 0, then.length, number],
  ...then,
];

const refusedWhere = (
  test: number,
  index: number,
  values: readonly number[],
  errno: number,
): Instruction[] => [
  [LOAD, 0, 0, argument(index)],
  ...values.map((value, at): Instruction => [test, values.length - at, 0, value]),
  allow,
  fail(errno),
];

/** The filter for a processor; null where its numbers are not known. */
export function seccompFilter(access: SandboxAccess, processor: string = process.arch): Buffer | null {
  if (processor !== 'x64' && processor !== 'arm64') return null;
  const { audit, column } = ARCHITECTURES[processor];
  const refused = Object.values(REFUSED).flatMap((row): Instruction[] => {
    const number = row[column];
    return number === null ? [] : when(number, [fail(row[2] ?? EPERM)]);
  });
  const families = [FAMILIES.inet, FAMILIES.inet6, FAMILIES.netlink];
  // A command that ran without asking must reach no listener outside.
  if (access === 'read-write') families.push(FAMILIES.unix);
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    ...(processor === 'x64'
      ? ([
          [IF_AT_LEAST, 0, 1, X32],
          [RETURN, 0, 0, KILL],
        ] as const)
      : []),
    ...refused,
    ...when(CLONE[column], refusedWhere(IF_ANY_BIT, 0, [NEW_NAMESPACES], EPERM)),
    ...when(UNSHARE[column], refusedWhere(IF_ANY_BIT, 0, [NEW_NAMESPACES | NEW_TIME], EPERM)),
    ...when(IOCTL[column], refusedWhere(IF_EQUAL, 1, [TIOCSTI, TIOCLINUX], EPERM)),
    ...when(PTRACE[column], refusedWhere(IF_EQUAL, 0, [PTRACE_ATTACH, PTRACE_SEIZE], EPERM)),
    ...when(SOCKET[column], [
      [LOAD, 0, 0, argument(0)],
      ...families.map((family, at): Instruction => [IF_EQUAL, families.length - at + 2, 0, family]),
      // Two error codes, so that programs can tell a sandbox refusal from a missing kernel feature.
      [IF_EQUAL, 1, 0, FAMILIES.unix],
      fail(EAFNOSUPPORT),
      fail(EACCES),
      allow,
    ]),
    allow,
  ];
  return assembled(program);
}

function assembled(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, whenTrue, whenFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(whenTrue, at * 8 + 2);
    bytes.writeUInt8(whenFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
}
