// Required by the main process before the app: no folder is made until the disk is told to answer, so the host, which
// makes some on its way up, is not there yet.
const { promises } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const answers = new Promise((resolve) => {
  require('electron').app.once('disk-answers', resolve);
});
const { mkdir } = promises;
promises.mkdir = async (...given) => {
  await answers;
  return mkdir(...given);
};
syncBuiltinESMExports();
