import { onTestFinished, vi } from 'vitest';

/** Keeps the warnings that a test causes out of the test output. Returns a list that collects their texts in order. */
export function expectedWarnings(): string[] {
  const texts: string[] = [];
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation((warning) => {
    texts.push(warning instanceof Error ? warning.message : warning);
  });
  onTestFinished(() => warn.mockRestore());
  return texts;
}
