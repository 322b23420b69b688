// Required by the main process before the app: no folder is made until the disk is told to answer, so the host, which
// makes some on its way up, is not there yet.
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
