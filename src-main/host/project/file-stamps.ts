import { type BigIntStats, stat } from 'node:fs';

/** A file or folder of this machine, or one that is not there, that something was made by. */
export interface StampedPlace {
  path: string;
  /** `content`: what it holds, of a folder the names in it. `identity`: that it is this one, and whose. */
  by: 'content' | 'identity';
}

/** Milliseconds: what changed less long ago than that before it was looked at may change again and look the same. */
const SETTLES_IN = 100;
/** The same where the file system counts in whole seconds, or in twos. */
const SETTLES_SLOWLY_IN = 2_500;

interface Stamp extends StampedPlace {
  is: string;
  /** From when on another change is sure to be seen: milliseconds since 1970. */
  settles: number;
}

/** How files were at one time. Take it before they are read, so that what is read is no older. */
export class FileStamps {
  private constructor(
    private readonly stamps: readonly Stamp[],
    private readonly takenAt: number,
  ) {}

  static async take(places: readonly StampedPlace[], now: number = Date.now()): Promise<FileStamps> {
    return new FileStamps(await Promise.all(places.map(stampOf)), now);
  }

  /** Whether a change since then is sure to be seen. */
  get isSettled(): boolean {
    return this.stamps.every(({ settles }) => settles < this.takenAt);
  }

  /** Whether all of them are as they were. */
  async areSame(): Promise<boolean> {
    const now = await Promise.all(this.stamps.map(stampOf));
    return now.every(({ is }, index) => is === this.stamps[index]?.is);
  }
}

/** With a callback, since there are many, a message waits for them, and promises of files take twice as long to make. */
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
