// Vitest runs this once before the unit tests: storage tests open real databases, for which this Node may need a build.
import { prepareNode } from '../runtime/prepare.mjs';

export default async function setup() {
  Object.assign(process.env, await prepareNode());
}
