import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** A TCP line to a server's socket, which a test can cut or make silent. */
export interface PostgresLine {
  port: number;
  /** Ends every connection, and refuses new ones until `restore`. */
  cut(): void;
  /** Nothing arrives any more on the present and on new connections until `restore`, as behind a dead network. */
  silence(): void;
  restore(): void;
  close(): Promise<void>;
}

/** `server`: how a driver finds the server, as `PostgresServer.database` answers. */
export async function lineTo(server: { host: string; port: number }): Promise<PostgresLine> {
  let state: 'open' | 'cut' | 'silent' = 'open';
  const open = new Set<Socket>();
  const listener = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const inner = connect(join(server.host, `.s.PGSQL.${server.port}`));
    for (const [from, to] of [
      [client, inner],
      [inner, client],
    ] as const) {
      open.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      from.pipe(to);
      if (state === 'silent') from.unpipe(to);
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  const drop = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: address.port,
    cut: () => {
      state = 'cut';
      drop();
    },
    silence: () => {
      state = 'silent';
      for (const socket of open) socket.unpipe();
    },
    restore: () => {
      // Connections that were silent stay so, as after a router forgot them.
      state = 'open';
    },
    close: async () => {
      state = 'cut';
      drop();
      listener.close();
      await once(listener, 'close');
    },
  };
}
