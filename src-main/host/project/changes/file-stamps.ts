import { type BigIntStats, stat } from 'node:fs';

/** A file or folder of this machine, possibly missing, that something was derived from. */
export interface StampedPlace {
  path: string;
  /** `content`: what it contains; for a folder, its names. `identity`: which file it is, and its owner. */
  by: 'content' | 'identity';
}

/** Milliseconds: a file that changed more recently before the stamp may change again with the same timestamp. */
const SETTLES_IN = 100;
/** The same for file systems with timestamps of one or two seconds. */
const SETTLES_SLOWLY_IN = 2_500;

interface Stamp extends StampedPlace {
  is: string;
  /** From this time on another change is sure to be detected: milliseconds since 1970. */
  settles: number;
}

/** The state of files at one time. Take it before they are read, so that what is read is no older. */
export class FileStamps {
  private constructor(
    private readonly stamps: readonly Stamp[],
    private readonly takenAt: number,
  ) {}

  static async take(places: readonly StampedPlace[], now: number = Date.now()): Promise<FileStamps> {
    return new FileStamps(await Promise.all(places.map(stampOf)), now);
  }

  /** Whether every later change is sure to be detected. */
  get isSettled(): boolean {
    return this.stamps.every(({ settles }) => settles < this.takenAt);
  }

  /** Whether all files are unchanged. */
  async areSame(): Promise<boolean> {
    const now = await Promise.all(this.stamps.map(stampOf));
    return now.every(({ is }, index) => is === this.stamps[index]?.is);
  }
}

/** Uses a callback: there are many files, a message waits for them, and file promises take twice as long. */
const stampOf = (place: StampedPlace): Promise<Stamp> =>
  new Promise((resolve) => {
    stat(place.path, { bigint: true }, (error, found) =>
      resolve(error ? { ...place, is: error.code ?? error.message, settles: 0 } : stamped(place, found)),
    );
  });

function stamped(place: StampedPlace, found: BigIntStats): Stamp {
  const who = `${found.dev} ${found.ino} ${found.uid} ${found.mode}`;
  if (place.by === 'identity') return { ...place, is: who, settles: 0 };
  const isFine = found.ctimeNs % 1_000_000n !== 0n;
  const changed = Math.max(Number(found.mtimeMs), Number(found.ctimeMs));
  return {
    ...place,
    is: `${who} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`,
    settles: changed + (isFine ? SETTLES_IN : SETTLES_SLOWLY_IN),
  };
}
