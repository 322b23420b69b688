/** A class that replaces `Worker` and answers every message with this. */
export const answeringWorker = <Answer>(answer: Answer) =>
  class {
    onmessage: ((event: { data: Answer }) => void) | null = null;
    postMessage() {
      queueMicrotask(() => this.onmessage?.({ data: answer }));
    }
    terminate() {}
  };
