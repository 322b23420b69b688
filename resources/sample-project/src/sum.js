/** The sum of two numbers. */
export function sum(a, b) {
  return a - b;
}

/** The sum of a whole list. */
export function total(numbers) {
  return numbers.reduce(sum, 0);
}
