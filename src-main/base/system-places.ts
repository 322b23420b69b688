/** Folders with programs, libraries and their data. Every sandbox shows them as they are. */
export const SYSTEM_FOLDERS: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix/store',
  '/nix/var/nix/profiles',
  '/gnu/store',
  '/snap',
  '/home/linuxbrew/.linuxbrew',
  '/var/cache/fontconfig',
  '/var/lib/texmf',
  '/run/current-system',
  '/run/opengl-driver',
  '/run/booted-system',
];

/** Parts of `/sys`: the number of processors, and a container's memory limit. */
export const SHOWN_OF_SYS: readonly string[] = [
  '/sys/devices/system/cpu',
  '/sys/devices/system/node',
  '/sys/fs/cgroup',
];
