import type { BackendProtocol } from '../../../harness';
import { type Failure, failure, ScreenedBackend, type ScreenedCall } from '../../../harness/backends';
import type { PathRules } from './path-rules';

/**
 * A backend with a project's rules about paths, which are read for each call: what they deny is not read, listed, found or
 * written. What asks was asked before. Commands are confined by the sandbox.
 */
export function ruled(backend: BackendProtocol, rules: () => PathRules): BackendProtocol {
  const screened = new RuledBackend(backend, rules);
  return new Proxy(backend, {
    get: (target, key) => {
      const now: object = rules().restricts ? screened : target;
      const value: unknown = Reflect.get(now, key, now);
      return typeof value === 'function' ? value.bind(now) : value;
    },
  });
}

class RuledBackend extends ScreenedBackend {
  constructor(
    inner: BackendProtocol,
    private readonly rules: () => PathRules,
  ) {
    super(inner);
  }

  protected get sees(): (path: string) => boolean {
    const rules = this.rules();
    return (path) => rules.judge('read', path).mode !== 'deny';
  }

  protected check(call: ScreenedCall): Failure | null {
    if (call.access === 'execute') return null;
    const rules = this.rules();
    const own = rules.judge(call.access, call.path);
    const { mode, rule } =
      own.mode !== 'deny' && call.operation === 'delete' ? rules.beforehand('write', call.path, true) : own;
    return mode === 'deny' ? failure('denied', `Error: denied by the person's rule: ${rule}`) : null;
  }
}
