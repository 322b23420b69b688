/** The length from which a name is shortened, and what stays at both ends, in characters as a person counts them. */
const LONG = 48;
const [START, END] = [30, 15];
const characters = new Intl.Segmenter();

/** A name for a sentence. A long one is shortened in the middle: names that differ mostly differ at an end. */
export function shortName(name: string): string {
  if (name.length <= LONG) return name;
  const all = [...characters.segment(name)].map(({ segment }) => segment);
  return all.length <= LONG
    ? name
    : `${all.slice(0, START).join('').trimEnd()}…${all.slice(-END).join('').trimStart()}`;
}
