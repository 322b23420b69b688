import { because, type Reason } from '../../contract/shared/reasons';
import type { Server } from '../server';
import type { ReadConfiguration } from './configured-servers';

/** The files and entries that configure no server, with what is wrong with each. */
export const unusableConfiguration = ({ known, problems }: ReadConfiguration): Reason[] => [
  ...problems.map(({ source, why }) => because('mcp_file_left_out', { path: source, why: [why] })),
  ...known.flatMap(({ entry, source, barred }) =>
    barred?.phase === 'invalid'
      ? [because('mcp_server_left_out', { server: entry.name, path: source, why: [barred.why] })]
      : [],
  ),
];

/** The servers that failed to start, with the end of their error output. */
export const failedServers = (servers: readonly Server[]): Reason[] =>
  servers.flatMap(({ state, config }) => {
    if (state.phase !== 'failed') return [];
    const last = state.lines.findLast((line) => line.trim() !== '');
    const said = last === undefined ? [] : [because('mcp_last_output', { line: last })];
    return [because('mcp_server_failed', { server: config.name, why: [...state.why, ...said] })];
  });
