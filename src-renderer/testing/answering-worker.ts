/** A class in place of `Worker` whose every message is answered with this. */
export const answeringWorker = <Answer>(answer: Answer) =>
  class {
    onmessage: ((event: { data: Answer }) => void) | null = null;
    postMessage() {
      queueMicrotask(() => this.onmessage?.({ data: answer }));
    }
    terminate() {}
  };
