/** Text without repetitions that would compress well, the same in every run: `size` units in lines of about 60. */
export function textOf(seed: number, size: number): string {
  let state = seed + 1;
  let out = '';
  while (out.length < size) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    out += state.toString(36) + (state % 8 === 0 ? '\n' : ' ');
  }
  return out.slice(0, size);
}
