import { type BigIntStats, constants, lstat as lookAt, readlinkSync } from 'node:fs';
import { lstat, mkdir, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { realPathOf, systemPath, textOfLatin1 } from '../../../base/path-names';
import { contains, DESCRIPTORS_HAVE_PATHS, FIND, READ } from '../../../base/regular-file';
import {
  directoryFailure,
  type Failure,
  failure,
  isFailure,
  linkRefused,
  notRegular,
  systemCode,
  systemFailure,
} from '../failure';
import type { CheckedPath } from '../paths';
import { Handle } from './handle';

const DIRECTORY = READ | (constants.O_DIRECTORY ?? 0);
/** A directory only as a base for names: it is not opened for reading, so only the kernel is involved. */
const PLACE = FIND('none') | (constants.O_DIRECTORY ?? 0);
/** Stands for a path that leads out of the root, or nowhere. No backend path has this name, so no rule allows it by name. */
const OUTSIDE = '/..';

export interface OpenFile {
  handle: Handle;
  stat: BigIntStats;
}

/** A directory that stays the checked one, whatever is moved or linked in the meantime. Close it. */
export interface HeldDirectory {
  /** Host path of the directory, for reading it. */
  readonly path: string;
  /** Its location when it was opened: a name for it, not a way to reach it. */
  readonly place: string;
  /** Host path of a name directly in it. A link there is followed unless the call says otherwise. */
  child(name: string): string | Buffer;
  close(): Promise<void>;
}

/**
 * The one gate from backend paths to the disk. Host paths are strings here, as `base/path-names.ts` writes them. Reads may
 * follow links whose target is inside the root, writes follow none. An opened file is checked again before use, so swapping
 * in a link gains nothing.
 */
export class RootGuard {
  private root: Promise<string> | null = null;

  /** `confined` false: paths are host paths, and links may lead anywhere (the backend's non-virtual mode). */
  constructor(
    private readonly rootDir: string,
    private readonly confined: boolean,
  ) {}

  /** The root's real path, fixed on first use: later changes of a root that is a link have no effect. */
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
    return opened.stat.isDirectory() ? directoryFailure(at.path) : notRegular(at.path);
  }

  /** Opens a directory for listing. */
  async openDirectory(at: CheckedPath): Promise<HeldDirectory | Failure> {
    const opened = await this.open(at, DIRECTORY);
    if (!isFailure(opened)) return hold(opened.handle, opened.host);
    return opened.kind === 'not_found' ? failure('not_found', `Directory '${at.path}' not found`) : opened;
  }

  /** Whether a readable path is a file or a directory. */
  async kindOf(at: CheckedPath): Promise<'file' | 'directory' | Failure> {
    const opened = await this.open(at, READ);
    if (isFailure(opened)) return opened;
    await opened.handle.close();
    if (opened.stat.isDirectory()) return 'directory';
    return opened.stat.isFile() ? 'file' : notRegular(at.path);
  }

  /**
   * Resolves the links in a path and returns a backend path. If the end of the path is missing, resolves the existing
   * folders. A path that leads out of the root, in a circle or nowhere, or cannot be followed, becomes one below `/..`,
   * which is no path.
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
        // A dangling link is not the same as a missing file.
        const missing = ['ENOENT', 'ENOTDIR'].includes(systemCode(thrown)) && !(await isThere(host));
        if (!missing || known === 0) return `${OUTSIDE}${at.path}`;
      }
    }
  }

  /**
   * Holds the parent directory for a write, with no link on the way. `create` makes missing folders. The path's last name is
   * looked up too.
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
      // The kernel has just walked this path, so it is in memory. The thread pool would cost ten times that.
      const opened = DESCRIPTORS_HAVE_PATHS
        ? Handle.openNow(systemPath(host), PLACE)
        : await Handle.open(systemPath(host), DIRECTORY);
      const actual = await hostPathOf(opened, host).catch(async (thrown) => {
        await opened.close();
        throw thrown;
      });
      // Outside the confined mode, links on the way are up to the person.
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
      // A sibling may have created it. A link in its place is rejected when it is opened below.
      if (systemCode(thrown) !== 'EEXIST') return systemFailure(thrown, path);
    } finally {
      await parent.close();
    }
    return this.holdSegments(root, segments, path, false);
  }

  /** `O_DIRECTORY | O_NOFOLLOW` reports ENOTDIR for a link as for a file. The answer should say which. */
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

  /** Checks what was opened: only the handle's real location counts, not the path that led to it. */
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

  /** If the last name is a link: its real target if that may be read. Null if there was no link. */
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
    // A dangling link on the way looks like a missing file. Do not reveal where it leads.
    if (systemCode(thrown) === 'ENOENT' && this.confined && (await leavesRoot(root, host)))
      return linkRefused(path);
    return systemFailure(thrown, path);
  }
}

/**
 * Makes the kernel look up a path, so that the next lookup is answered from memory. The result is ignored: links on the way
 * may lead elsewhere.
 */
const lookUp = (host: string): Promise<void> => new Promise((done) => lookAt(systemPath(host), () => done()));

function hold(handle: Handle, host: string): HeldDirectory {
  const path = DESCRIPTORS_HAVE_PATHS ? `/proc/self/fd/${handle.fd}` : host;
  return {
    // Only Linux needs bytes, and there this is the name of a handle.
    path: systemPath(path).toString(),
    place: host,
    child: (name) => systemPath(`${path}/${name}`),
    close: () => handle.closeNow(),
  };
}

/** The real location of an open file, or null if it is not certain. */
async function hostPathOf(handle: Handle, host: string): Promise<string | null> {
  if (DESCRIPTORS_HAVE_PATHS) {
    // The kernel answers from memory, whatever disk the file is on. The thread pool would cost ten times that.
    const place = textOfLatin1(readlinkSync(`/proc/self/fd/${handle.fd}`, 'latin1'));
    // Somebody has since replaced or deleted it: the handle still holds the old file.
    const gone = ' (deleted)';
    return place !== host && place === host + gone ? host : place;
  }
  const real = await realPathOf(systemPath(host));
  const [held, named] = [await handle.stat(), await stat(systemPath(real), { bigint: true })];
  return held.ino === named.ino && held.dev === named.dev ? real : null;
}

/** Files that the kernel makes up on reading: other processes' secrets, and files that are endless or act when read. */
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
      // A dangling link still exists.
      if (systemCode(thrown) === 'ELOOP' || (await isThere(folder))) return true;
      if (dirname(folder) === folder) return false;
    }
  }
  return false;
}
