import { because } from '../../contract/shared/reasons';
import type { Configured } from '../config/configured-servers';
import type { Server } from '../server';
import type { ToolList } from './tool-list';
import { toolName } from './tool-names';

/** The tools that a running server offers to a turn. */
export interface Offer {
  one: Configured;
  server: Server;
  /** Maps the server's tool names to the names for the model. */
  names: Map<string, string>;
  refused: ToolList['leftOut'];
}

/** Assigns model names to the tools of each server, by server key. A tool whose name is taken gets none. */
export function offersOf(
  known: readonly Configured[],
  running: ReadonlyMap<string, Server>,
  reserved: ReadonlySet<string>,
): Map<string, Offer> {
  /** The server that has a name. */
  const taken = new Map<string, string>();
  const offers = new Map<string, Offer>();
  for (const one of known) {
    const server = running.get(one.key);
    if (server === undefined || one.barred !== undefined) continue;
    const names: Offer['names'] = new Map();
    const refused: Offer['refused'] = [];
    for (const { title } of server.tools.tools) {
      const name = toolName(one.entry.name, title);
      const owner = taken.get(name);
      if (reserved.has(name)) {
        refused.push({ name: title, why: because('mcp_tool_name_of_deepdesk', { name }) });
      } else if (owner !== undefined) {
        refused.push({ name: title, why: because('mcp_tool_name_of_server', { name, server: owner }) });
      } else {
        taken.set(name, one.entry.name);
        names.set(title, name);
      }
    }
    offers.set(one.key, { one, server, names, refused });
  }
  return offers;
}
