import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

interface Process {
  pid: number;
  parent: number;
  words: string[];
}

function look(pid: number): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // A program name may contain spaces and parentheses; the text after the last parenthesis does not.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return [{ pid, parent, words: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') }];
  } catch {
    // It has exited.
    return [];
  }
}

/** A process and its descendants, as Linux lists them now. */
export function processTree(pid: number): Process[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? look(Number(name)) : []));
  const found = new Set([pid]);
  for (;;) {
    const before = found.size;
    for (const process of all) if (found.has(process.parent)) found.add(process.pid);
    if (found.size === before) return all.filter((process) => found.has(process.pid));
  }
}

/** The state of a listening socket in `net/tcp`. */
const LISTEN = '0A';

/** Local addresses, as the kernel writes them, on which a process or a descendant listens for TCP. Linux only. */
export function listeningSockets(pid: number): string[] {
  const own = new Set(
    processTree(pid).flatMap((process) => {
      try {
        return readdirSync(`/proc/${process.pid}/fd`).flatMap((fd) => {
          const target = readlinkSync(`/proc/${process.pid}/fd/${fd}`);
          return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
        });
      } catch {
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === LISTEN && own.has(inode ?? ''))
      .map(([, address]) => address ?? ''),
  );
}
