import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const alias = { '@contract': resolve(import.meta.dirname, 'src-main/contract') };

export default defineConfig({
  resolve: { alias },
  test: {
    // Vitest leaves one core to itself: on two, all files would go one after the other, and many of them only wait.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: ['scripts/unit-tests.setup.mjs'],
    setupFiles: ['scripts/unit-tests.each.ts'],
    // Longer than what a test waits for, so that it can say what did not come.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'main',
          environment: 'node',
          include: [
            'src-main/**/*.test.ts',
            'scripts/**/*.test.ts',
            'bench/**/*.test.ts',
            'e2e/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'renderer',
          environment: 'happy-dom',
          include: ['src-renderer/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});
