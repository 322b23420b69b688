import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** How bytes travel. `stalled`: not at all, and nobody notices. `slow`: one by one. */
export type Traffic = 'flowing' | 'stalled' | 'slow';

/** The line to a server on this machine, which a test can disturb. */
export interface FaultyLine {
  port: number;
  traffic: Traffic;
  /** Ends a connection after this many more bytes from the client. */
  cutAfterSent: number;
  /** Ends a connection after this many more bytes from the server. */
  cutAfterReceived: number;
  /** Ends every connection. New ones are accepted. */
  cut(): void;
  close(): Promise<void>;
}

/** A line to a port of this machine. */
export async function faultyLine(to: number): Promise<FaultyLine> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const far = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true });
    const end = () => {
      for (const socket of [client, far]) socket.resetAndDestroy();
    };
    for (const socket of [client, far]) {
      open.add(socket);
      socket.on('error', end).on('close', () => open.delete(socket));
    }
    void carry(client, far, (bytes) => {
      line.cutAfterSent -= bytes;
      if (line.cutAfterSent <= 0) end();
    });
    void carry(far, client, (bytes) => {
      line.cutAfterReceived -= bytes;
      if (line.cutAfterReceived <= 0) end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();

  async function carry(from: Socket, into: Socket, count: (bytes: number) => void): Promise<void> {
    try {
      for await (const bytes of from as AsyncIterable<Buffer>) {
        while (line.traffic === 'stalled') await wait(20);
        for (let at = 0; at < bytes.length; ) {
          const size = line.traffic === 'slow' ? 1 : bytes.length - at;
          into.write(bytes.subarray(at, at + size));
          at += size;
          count(size);
          if (line.traffic === 'slow') await wait(1);
        }
      }
      into.end();
    } catch {
      into.destroy();
    }
  }

  const line: FaultyLine = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    traffic: 'flowing',
    cutAfterSent: Number.POSITIVE_INFINITY,
    cutAfterReceived: Number.POSITIVE_INFINITY,
    cut: () => {
      for (const socket of open) socket.resetAndDestroy();
    },
    close: async () => {
      line.traffic = 'flowing';
      server.close();
      line.cut();
      await once(server, 'close');
    },
  };
  return line;
}
