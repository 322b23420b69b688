import type { Statement } from 'better-sqlite3';
import type { Db } from './db';

/** The same methods as a statement's, as far as we use them. */
class StatementOnUse {
  readonly #prepare: () => Statement;
  #made: Statement | undefined;

  constructor(prepare: () => Statement) {
    this.#prepare = prepare;
  }

  get #statement(): Statement {
    this.#made ??= this.#prepare();
    return this.#made;
  }

  run(...values: unknown[]) {
    return this.#statement.run(...values);
  }

  get(...values: unknown[]) {
    return this.#statement.get(...values);
  }

  all(...values: unknown[]) {
    return this.#statement.all(...values);
  }

  iterate(...values: unknown[]) {
    return this.#statement.iterate(...values);
  }

  pluck() {
    return new StatementOnUse(() => this.#prepare().pluck());
  }

  raw() {
    return new StatementOnUse(() => this.#prepare().raw());
  }
}

/**
 * The same database, but its statements are prepared when they first run. Most belong to actions that few sessions contain,
 * and preparing all of them takes a tenth of the time to open a thread. Wrong SQL fails at its first use.
 */
export function prepareOnUse(db: Db): Db {
  const prepare = (source: string) => new StatementOnUse(() => db.prepare(source));
  return new Proxy(db, {
    get: (target, name) => {
      if (name === 'prepare') return prepare;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
