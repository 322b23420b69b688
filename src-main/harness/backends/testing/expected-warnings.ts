import { onTestFinished, vi } from 'vitest';

/** Keeps the warnings that a test causes out of the output of the tests. Returns their texts, in order, as they come. */
export function expectedWarnings(): string[] {
  const texts: string[] = [];
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation((warning) => {
    texts.push(warning instanceof Error ? warning.message : warning);
  });
  onTestFinished(() => warn.mockRestore());
  return texts;
}
