// The few globals that Node and the DOM share and the contract uses. Only the contract's tsconfig includes this file.
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare function queueMicrotask(callback: () => void): void;
declare function atob(base64: string): string;
declare function structuredClone<T>(value: T): T;
