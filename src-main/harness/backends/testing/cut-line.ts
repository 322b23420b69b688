import type { Server } from 'node:http';

/** The line to a server, which a test can cut. */
export interface CutLine {
  /** Ends every connection, and every new one, until `restore`. */
  cut(): void;
  restore(): void;
}

export function cutLine(server: Server): CutLine {
  let isCut = false;
  server.on('connection', (socket) => {
    if (isCut) socket.destroy();
  });
  return {
    cut: () => {
      isCut = true;
      server.closeAllConnections();
    },
    restore: () => {
      isCut = false;
    },
  };
}
