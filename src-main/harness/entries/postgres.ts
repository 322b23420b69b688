// `@deepdesk/harness/postgres`: a store that several processes share, on LangGraph's own tables.
export { PostgresTeamStore, type TeamStoreConfig } from '../storage/postgres/postgres-store';
