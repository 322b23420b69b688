// What the app shows under Settings, About, Licenses.
import { shippedPackages } from './shipped.mjs';

/** Most packages share one of a few texts, so each text is there once. @param {string} out the folder of a build */
export function licensesForApp(out) {
  /** @type {string[]} */
  const texts = [];
  const packages = shippedPackages(out).map(({ name, version, license, text }) => {
    if (text === undefined) return { name, version, license, text: null };
    const known = texts.indexOf(text);
    return { name, version, license, text: known === -1 ? texts.push(text) - 1 : known };
  });
  return { packages, texts };
}
