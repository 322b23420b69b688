/**
 * The program that loads a module and answers calls on it, one JSON text a line: run by Node with `-e`, so that the process
 * does not need a file of this app. It loads exactly the bytes that it is given. What the module prints goes to the error output.
 */
export const MODULE_RUNNER = `
import { createInterface } from 'node:readline';

const print = process.stdout.write.bind(process.stdout);
process.stdout.write = (...given) => process.stderr.write(...given);
const send = (answer) => print(JSON.stringify(answer) + '\\n');

let files;
const load = async (source) => {
  const { default: given } = await import('data:text/javascript;base64,' + source);
  files = await (typeof given === 'function' ? given() : given);
  return ['list', 'read', 'write', 'delete'].filter((name) => typeof files?.[name] === 'function');
};
const calls = {
  load,
  ping: async () => true,
  list: () => files.list(),
  read: async (path) => {
    const content = await files.read(path);
    return content instanceof Uint8Array ? { base64: Buffer.from(content).toString('base64') } : content;
  },
  write: async (path, base64) => {
    await files.write(path, Buffer.from(base64, 'base64'));
    return true;
  },
  delete: async (path) => {
    await files.delete(path);
    return true;
  },
};

process.on('uncaughtException', (error) => console.error(error));
process.on('unhandledRejection', (error) => console.error(error));
const lines = createInterface({ input: process.stdin });
lines.on('line', async (line) => {
  const { id, name, given } = JSON.parse(line);
  try {
    send({ id, result: (await calls[name](...given)) ?? null });
  } catch (error) {
    send({ id, error: String(error?.message ?? error) });
  }
});
lines.on('close', () => process.exit());
`;
