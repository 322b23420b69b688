import { systemPath } from '../../base/path-names';
import type { Project } from '../../contract/app';
import type { Output } from '../../contract/commands';
import type { PlaceId } from '../../contract/ids';
import type { Place } from '../../contract/places';
import type { BackendProtocol } from '../../harness';
import { Names } from '../../workspace/names';
import { rank } from '../../workspace/rank';
import { mountOfPlace } from './place-policy';

/** Milliseconds for listing the names of a place. */
const LIST_LIMIT = 20_000;
/** Milliseconds after which the names are listed again on request. */
const FRESH_FOR = 30_000;

interface Listed {
  names: Names;
  /** Null while it has never been listed. */
  at: number | null;
  running: Promise<void> | null;
}

interface NamedPlaces {
  of(project: Pick<Project, 'id'>): Place[];
  backendOf(place: Place): BackendProtocol;
}

/** Finds files of places by parts of their names. Nothing waits for a place: until its names are there, others are shown. */
export class PlaceNames {
  private readonly listed = new Map<PlaceId, Listed>();
  private readonly closing = new AbortController();

  constructor(private readonly places: NamedPlaces) {}

  find(project: Project, query: string, limit: number): Output<'files.find'> {
    const found: Output<'files.find'> = { matches: [], total: 0, files: 0, listing: false };
    for (const place of this.places.of(project)) {
      const { names, at, running } = this.namesOf(place);
      const { best, total } = rank(names, query, limit);
      const mount = mountOfPlace(place);
      for (const { name, ranges } of best)
        found.matches.push({
          path: `${mount}/${name}`,
          name: `${mount}/${name}`,
          ranges: ranges.map((position) => position + mount.length + 1),
        });
      found.total += total;
      found.files += names.count;
      found.listing ||= at === null && running !== null;
    }
    return found;
  }

  /** The person has changed names there: the next search lists them again. */
  changed(id: PlaceId): void {
    const known = this.listed.get(id);
    if (known?.at != null) known.at = 0;
  }

  close(): void {
    this.closing.abort();
  }

  private namesOf(place: Place): Listed {
    const known = this.listed.get(place.id) ?? { names: new Names(), at: null, running: null };
    this.listed.set(place.id, known);
    const isStale = known.at === null || Date.now() - known.at > FRESH_FOR;
    if (isStale && known.running === null) known.running = this.list(place, known);
    return known;
  }

  private async list(place: Place, listed: Listed): Promise<void> {
    const options = { timeoutMs: LIST_LIMIT, signal: this.closing.signal };
    const found = await this.places
      .backendOf(place)
      .glob('**/*', '/', options)
      .catch(() => ({ files: [] }));
    const names = new Names();
    for (const { path } of found.files ?? []) names.add(bytesOf(path.slice(1)));
    listed.names = names;
    listed.at = Date.now();
    listed.running = null;
  }
}

/** A name as a listing of the folder itself has it. */
const bytesOf = (path: string): Buffer => {
  const name = systemPath(path);
  return Buffer.concat([typeof name === 'string' ? Buffer.from(name) : name, Buffer.of(0)]);
};

/** Both lists in one, the folder's first. Places keep a part of the space, however many the folder has. */
export function withPlaceNames(
  folder: Output<'files.find'>,
  places: Output<'files.find'>,
  limit: number,
): Output<'files.find'> {
  const ofPlaces = Math.min(
    places.matches.length,
    Math.max(limit - folder.matches.length, Math.ceil(limit / 5)),
  );
  return {
    matches: [...folder.matches.slice(0, limit - ofPlaces), ...places.matches.slice(0, ofPlaces)],
    total: folder.total + places.total,
    files: folder.files + places.files,
    listing: folder.listing || places.listing,
  };
}
