import { type BigIntStats, constants, lstat as lookAt, readlinkSync } from 'node:fs';
import { lstat, mkdir, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { realPathOf, systemPath, textOfLatin1 } from '../../base/path-names';
import { contains, DESCRIPTORS_HAVE_PATHS } from '../../base/regular-file';
import {
  type Failure,
  failure,
  isFailure,
  linkRefused,
  notRegular,
  systemCode,
  systemFailure,
} from './failure';
import { Handle } from './handle';
import type { CheckedPath } from './paths';

/** `O_NONBLOCK`: opening a pipe that nobody writes to must not hold one of the few threads of the file system. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const DIRECTORY = READ | (constants.O_DIRECTORY ?? 0);

/** Of Linux, the same on all its processors; Node does not name it. */
const O_PATH = 0o10000000;
/** A directory as a place for names only: it is not opened for reading, so that the kernel alone is asked. */
const PLACE = O_PATH | (constants.O_NOFOLLOW ?? 0) | (constants.O_DIRECTORY ?? 0);
/** Where a path leads that leads out, or nowhere: no path of a backend has such a name, so no rule allows it by name. */
const OUTSIDE = '/..';

export interface OpenFile {
  handle: Handle;
  stat: BigIntStats;
}

/**
 * A directory that stays the one that was checked, whatever is moved or linked meanwhile. Close it.
 */
export interface HeldDirectory {
  /** Host path of the directory, for reading it. */
  readonly path: string;
  /** Its place when it was opened: a name for it, not a way to it. */
  readonly place: string;
  /** Host path of a name directly in it; a link there is not followed only where the call asks for that. */
  child(name: string): string | Buffer;
  close(): Promise<void>;
}

/**
 * The one gate from paths of the backend to the disk. Paths of the host are texts here, as `base/path-names.ts` writes them. Reading may pass links whose target is inside the root, writing
 * passes none. What was opened is looked at again before it is used, so that swapping a link in wins nothing.
 */
export class RootGuard {
  private root: Promise<string> | null = null;

  /** `confined` false: paths are host paths, links lead anywhere (the backend's non-virtual mode). */
  constructor(
    private readonly rootDir: string,
    private readonly confined: boolean,
  ) {}

  /** The root's real path, pinned when it is first used: a link as root may be re-pointed later without effect. */
  async realRoot(): Promise<string | Failure> {
    if (!this.confined) return resolve('/');
    this.root ??= realPathOf(resolve(this.rootDir));
    try {
      return await this.root;
    } catch (thrown) {
      this.root = null;
      systemFailure(thrown, '/');
      return failure('folder_gone', 'The root folder no longer exists, or cannot be opened.');
    }
  }

  /** Opens a regular file for reading. Close the handle. */
  async openFile(at: CheckedPath): Promise<OpenFile | Failure> {
    const opened = await this.open(at, READ);
    if (isFailure(opened)) return opened;
    if (opened.stat.isFile()) return opened;
    await opened.handle.close();
    return opened.stat.isDirectory()
      ? failure('special', `'${at.path}' is a directory, not a file. Use ls to list it.`)
      : notRegular(at.path);
  }

  /** Opens a directory for listing. */
  async openDirectory(at: CheckedPath): Promise<HeldDirectory | Failure> {
    const opened = await this.open(at, DIRECTORY);
    if (!isFailure(opened)) return hold(opened.handle, opened.host);
    return opened.kind === 'not_found' ? failure('not_found', `Directory '${at.path}' not found`) : opened;
  }

  /** Whether there is a file or a directory at a path that may be read. */
  async kindOf(at: CheckedPath): Promise<'file' | 'directory' | Failure> {
    const opened = await this.open(at, READ);
    if (isFailure(opened)) return opened;
    await opened.handle.close();
    if (opened.stat.isDirectory()) return 'directory';
    return opened.stat.isFile() ? 'file' : notRegular(at.path);
  }

  /**
   * Where a path leads when links are followed, as a path of the backend; of what is not there, the folders that are.
   * What leads out of the root, in a circle or nowhere, or cannot be followed, is below `/..`, which is no path.
   */
  async realPath(at: CheckedPath): Promise<string> {
    const root = await this.realRoot();
    if (typeof root !== 'string') return at.path;
    for (let known = at.segments.length; ; known -= 1) {
      const host = join(root, ...at.segments.slice(0, known));
      try {
        const real = await realPathOf(systemPath(host));
        if (!contains(root, real)) return `${OUTSIDE}${at.path}`;
        const names = relative(root, real).split(sep).filter(Boolean);
        return `/${[...names, ...at.segments.slice(known)].join('/')}`;
      } catch (thrown) {
        // A link that is there but leads nowhere is not the same as nothing.
        const missing = ['ENOENT', 'ENOTDIR'].includes(systemCode(thrown)) && !(await isThere(host));
        if (!missing || known === 0) return `${OUTSIDE}${at.path}`;
      }
    }
  }

  /**
   * Holds the directory in which a path is to be written: no link on the way. `create` makes what is missing. The path's
   * own name is looked up too.
   */
  async holdParent(at: CheckedPath, create: boolean): Promise<HeldDirectory | Failure> {
    const root = await this.realRoot();
    if (typeof root !== 'string') return root;
    const host = join(root, ...at.segments);
    const folders = at.segments.slice(0, -1);
    if (DESCRIPTORS_HAVE_PATHS) {
      await lookUp(host);
      return this.holdSegments(root, folders, at.path, create);
    }
    const [held] = await Promise.all([this.holdSegments(root, folders, at.path, create), lookUp(host)]);
    return held;
  }

  private async holdSegments(
    root: string,
    segments: string[],
    path: string,
    create: boolean,
  ): Promise<HeldDirectory | Failure> {
    const host = join(root, ...segments);
    try {
      // The kernel has just walked over this path, so it has it in memory: a turn of the thread pool would cost ten times that.
      const opened = DESCRIPTORS_HAVE_PATHS
        ? Handle.openNow(systemPath(host), PLACE)
        : await Handle.open(systemPath(host), DIRECTORY);
      const actual = await hostPathOf(opened, host).catch(async (thrown) => {
        await opened.close();
        throw thrown;
      });
      // Outside the confined mode links on the way are the person's own affair.
      if (actual === host || (!this.confined && actual !== null)) return hold(opened, actual);
      await opened.close();
      return linkRefused(path);
    } catch (thrown) {
      if (systemCode(thrown) === 'ENOTDIR') return this.notADirectory(root, segments, path);
      if (segments.length === 0) return failure('folder_gone', 'The root folder no longer exists.');
      if (systemCode(thrown) !== 'ENOENT') return systemFailure(thrown, path);
      if (!create)
        return this.confined && (await leavesRoot(root, join(host, 'x')))
          ? linkRefused(path)
          : systemFailure(thrown, path);
    }
    const parent = await this.holdSegments(root, segments.slice(0, -1), path, create);
    if (isFailure(parent)) return parent;
    try {
      await mkdir(parent.child(segments.at(-1) ?? ''));
    } catch (thrown) {
      // A sibling may have made it; a link in its place is refused when it is opened below.
      if (systemCode(thrown) !== 'EEXIST') return systemFailure(thrown, path);
    } finally {
      await parent.close();
    }
    return this.holdSegments(root, segments, path, false);
  }

  /** `O_DIRECTORY | O_NOFOLLOW` says ENOTDIR for a link as for a file: the answer should say which. */
  private async notADirectory(root: string, segments: string[], path: string): Promise<Failure> {
    const host = join(root, ...segments);
    try {
      return (await realPathOf(systemPath(host))) === host
        ? failure('special', `'${path}' cannot be used: one of its parents is a file.`)
        : linkRefused(path);
    } catch (thrown) {
      return systemCode(thrown) === 'ENOENT' ? linkRefused(path) : systemFailure(thrown, path);
    }
  }

  private async open(at: CheckedPath, flags: number): Promise<(OpenFile & { host: string }) | Failure> {
    const root = await this.realRoot();
    if (typeof root !== 'string') return root;
    const host = join(root, ...at.segments);
    let handle: Handle;
    try {
      handle = await Handle.open(systemPath(host), flags);
    } catch (thrown) {
      const target = await this.linkTarget(thrown, root, host);
      if (target === 'outside') return linkRefused(at.path);
      if (target === null) return this.explainOpen(thrown, root, host, at.path, flags);
      try {
        handle = await Handle.open(systemPath(target), flags);
      } catch (again) {
        return systemFailure(again, at.path);
      }
    }
    return this.verify(handle, root, host, at.path);
  }

  /** Looks at what was opened: only the handle's own place counts, not the path that led to it. */
  private async verify(
    handle: Handle,
    root: string,
    host: string,
    path: string,
  ): Promise<(OpenFile & { host: string }) | Failure> {
    try {
      const actual = await hostPathOf(handle, host);
      if (actual === null || (this.confined && !contains(root, actual))) {
        await handle.close();
        return linkRefused(path);
      }
      if (isOfKernel(actual)) {
        await handle.close();
        return notRegular(path);
      }
      return { handle, stat: handle.statNow(), host: actual };
    } catch (thrown) {
      await handle.close();
      return systemFailure(thrown, path);
    }
  }

  /** Where the last name is a link: its real target when that may be read; null when there was no link. */
  private async linkTarget(thrown: unknown, root: string, host: string): Promise<string | 'outside' | null> {
    if (!['ELOOP', 'EMLINK', 'ENOTDIR'].includes(systemCode(thrown))) return null;
    try {
      const target = await realPathOf(systemPath(host));
      if (target === host) return null;
      return !this.confined || contains(root, target) ? target : 'outside';
    } catch (unresolved) {
      // Dangling or a loop.
      return systemCode(thrown) === 'ENOTDIR' && systemCode(unresolved) !== 'ELOOP' ? null : 'outside';
    }
  }

  private async explainOpen(
    thrown: unknown,
    root: string,
    host: string,
    path: string,
    flags: number,
  ): Promise<Failure> {
    const wantsDirectory = flags === DIRECTORY && systemCode(thrown) === 'ENOTDIR';
    if (wantsDirectory) {
      const instead = await typeOf(host);
      if (instead === 'file') return failure('special', `'${path}' is a file, not a directory.`);
      if (instead === 'link') return linkRefused(path);
      if (instead === 'special') return notRegular(path);
    }
    if (systemCode(thrown) === 'ENOENT' && path === '/')
      return failure('folder_gone', 'The root folder no longer exists.');
    // A link to nowhere on the way looks like something missing; say nothing of where it leads.
    if (systemCode(thrown) === 'ENOENT' && this.confined && (await leavesRoot(root, host)))
      return linkRefused(path);
    return systemFailure(thrown, path);
  }
}

/**
 * Has the kernel read what is at a path, so that whoever asks next is answered from memory. What it says counts for
 * nothing: links on the way may lead elsewhere.
 */
const lookUp = (host: string): Promise<void> => new Promise((done) => lookAt(systemPath(host), () => done()));

function hold(handle: Handle, host: string): HeldDirectory {
  const path = DESCRIPTORS_HAVE_PATHS ? `/proc/self/fd/${handle.fd}` : host;
  return {
    // Bytes are needed on Linux alone, where this is the name of a handle.
    path: systemPath(path).toString(),
    place: host,
    child: (name) => systemPath(`${path}/${name}`),
    close: () => handle.closeNow(),
  };
}

/** Where an open file really is, or null where that cannot be told for sure. */
async function hostPathOf(handle: Handle, host: string): Promise<string | null> {
  if (DESCRIPTORS_HAVE_PATHS) {
    // The kernel answers from memory, whatever disk the file is on: a turn of the thread pool would cost ten times that.
    const place = textOfLatin1(readlinkSync(`/proc/self/fd/${handle.fd}`, 'latin1'));
    // Somebody replaced or deleted it since: the handle still holds what was there.
    const gone = ' (deleted)';
    return place !== host && place === host + gone ? host : place;
  }
  const real = await realPathOf(systemPath(host));
  const [held, named] = [await handle.stat(), await stat(systemPath(real), { bigint: true })];
  return held.ino === named.ino && held.dev === named.dev ? real : null;
}

/** What the kernel makes up when it is read: other processes' secrets, and files that are endless or act when read. */
const isOfKernel = (host: string): boolean =>
  process.platform === 'linux' && /^\/(proc|sys)(\/|$)/.test(host);

async function isThere(host: string): Promise<boolean> {
  try {
    await lstat(systemPath(host));
    return true;
  } catch (thrown) {
    return !['ENOENT', 'ENOTDIR'].includes(systemCode(thrown));
  }
}

async function typeOf(host: string): Promise<'file' | 'link' | 'special' | null> {
  try {
    const found = await lstat(systemPath(host));
    if (found.isSymbolicLink()) return 'link';
    if (found.isDirectory()) return null;
    return found.isFile() ? 'file' : 'special';
  } catch {
    return null;
  }
}

/** Whether the deepest existing folder above a missing path is outside the root. */
async function leavesRoot(root: string, host: string): Promise<boolean> {
  for (let folder = dirname(host); contains(root, folder); folder = dirname(folder)) {
    try {
      return !contains(root, await realPathOf(systemPath(folder)));
    } catch (thrown) {
      // A link that leads nowhere is there all the same.
      if (systemCode(thrown) === 'ELOOP' || (await isThere(folder))) return true;
      if (dirname(folder) === folder) return false;
    }
  }
  return false;
}
