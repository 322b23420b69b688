/**
 * `@deepdesk/harness/postgres`: a store shared by several processes, on LangGraph's own tables.
 *
 * @module
 */

export { PostgresTeamStore, type TeamStoreConfig } from '../storage/postgres/postgres-store';
