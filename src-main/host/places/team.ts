import { fail, ok, type Result } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import { StoreBackend, systemCode } from '../../harness/backends';
import type { PlaceKindModule } from './place-kind';

/** Where the library's documentation keeps memories too, so that both see the same. */
const NAMESPACE = ['memories'];
/** Milliseconds for connecting, and for one statement. */
const CONNECT_LIMIT = 10_000;
const STATEMENT_LIMIT = 15_000;
/** Milliseconds after which an idle connection is closed, so that one that broke unnoticed is not used for long. */
const IDLE_LIMIT = 10_000;
const CONNECTIONS = 4;

/** Memories of a team in a Postgres database. */
export const teamPlace: PlaceKindModule<'team'> = {
  connect: async ({ address }, { secret }) => {
    const at = databaseAt(address);
    if (!at.ok) return at;
    // The driver loads with the first such place.
    const { PostgresTeamStore } = await import('../../harness/storage/postgres/postgres-store');
    const { host, port, user, database, ssl } = at.value;
    const store = new PostgresTeamStore({
      connectionOptions: {
        host,
        database,
        ssl,
        ...optional({ port, user, password: secret ?? undefined }),
        application_name: 'Deepdesk',
        keepAlive: true,
        max: CONNECTIONS,
        connectionTimeoutMillis: CONNECT_LIMIT,
        idleTimeoutMillis: IDLE_LIMIT,
        query_timeout: STATEMENT_LIMIT,
      },
    });
    const check = () =>
      store.search(NAMESPACE, { limit: 1 }).then(
        () => ok({}),
        (thrown: unknown) => refusal(at.value, thrown),
      );
    const close = () => store.stop().catch(() => undefined);
    const found = await check();
    if (found.ok) {
      const memories = { store, namespace: NAMESPACE };
      return ok({ backend: new StoreBackend({ namespace: NAMESPACE, store }), memories, check, close });
    }
    // It may wait for a connection that no longer answers.
    void close();
    return found;
  },
};

interface Database {
  /** A name, an address, or the folder of a socket. */
  host: string;
  port: number | undefined;
  user: string | undefined;
  database: string;
  ssl: boolean;
}

/** `postgresql://user@host:5432/database`. To other computers it uses TLS unless the address says `sslmode=disable`. */
export function databaseAt(address: string): Result<Database> {
  const url = parsed(address.trim());
  if (url === null) return fail('invalid', 'place_team_address');
  const given = (name: string) => url.searchParams.get(name) || undefined;
  if (url.password !== '' || given('password') !== undefined) return fail('invalid', 'place_team_password');
  const name = decoded(url.pathname.slice(1));
  if (name === '') return fail('invalid', 'place_team_address');
  const host = (given('host') ?? decoded(url.hostname).replace(/^\[|\]$/g, '')) || 'localhost';
  const port = Number(url.port || given('port')) || undefined;
  const user = decoded(url.username) || given('user');
  const isHere = host.startsWith('/') || /^(localhost|127\..*|::1)$/.test(host);
  const mode = given('sslmode');
  return ok({ host, port, user, database: name, ssl: mode === undefined ? !isHere : mode !== 'disable' });
}

function parsed(text: string): URL | null {
  try {
    const url = new URL(text);
    return url.protocol === 'postgresql:' || url.protocol === 'postgres:' ? url : null;
  } catch {
    return null;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refusal({ host, database }: Database, thrown: unknown) {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const code = systemCode(thrown);
  // Class 28 of the codes: not authorized. Without a password, the driver itself says what it lacks.
  if (code.startsWith('28') || text.startsWith('SASL'))
    return fail('denied', 'place_team_denied', { host }, text);
  if (code === '42501') return fail('denied', 'place_team_rights', { database }, text);
  if (code === '3D000') return fail('not_found', 'place_team_no_database', { database }, text);
  if (text.includes('does not support SSL')) return fail('unsupported', 'place_team_no_tls', { host }, text);
  return fail('network', 'place_unreachable', { host }, text);
}
