// Loaded by the main process before the app: creates no folder until the disk is told to answer. The host creates some on
// its start, so it is not ready until then.
const fs = process.getBuiltinModule('node:fs');

const answers = process.getBuiltinModule('node:events').once(require('electron').app, 'disk-answers');
const { mkdir } = fs.promises;
/** @type {(...given: Parameters<typeof mkdir>) => Promise<string | undefined>} */
const slowly = async (...given) => {
  await answers;
  return mkdir(...given);
};
Object.assign(fs.promises, { mkdir: slowly });
process.getBuiltinModule('node:module').syncBuiltinESMExports();
