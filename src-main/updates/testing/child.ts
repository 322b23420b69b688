// The fault tests kill this process while it downloads and installs an update.
import { Updates, type UpdatesOptions } from '../updates';

const options = JSON.parse(process.argv[2] ?? '') as UpdatesOptions;
process.env.APPIMAGE = options.appImage ?? '';
const updates = new Updates(options, {
  isOn: true,
  seen: () => 0,
  see: () => undefined,
  onChange: () => undefined,
  report: (error) => {
    throw error;
  },
});
updates.check();
await updates.settled();
process.stdout.write(`${updates.view.state.phase}\n`);
updates.applyNow();
await updates.close();
