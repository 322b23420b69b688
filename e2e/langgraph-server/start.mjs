// node start.mjs PORT: serves graphs.mjs beside it on loopback. Prints `listening` once it does, and ends with its input.
import { join } from 'node:path';
import { startServer } from '@langchain/langgraph-api/server';

const cwd = import.meta.dirname;
const path = join(cwd, 'graphs.mjs');
await startServer({
  host: '127.0.0.1',
  port: Number(process.argv[2]),
  nWorkers: 4,
  cwd,
  graphs: { worker: `${path}:worker`, parent: `${path}:parent` },
});
console.log('listening');
process.stdin.on('end', () => process.exit()).resume();
