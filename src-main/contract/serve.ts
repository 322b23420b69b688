import { z } from 'zod';
import { type CommandName, commands } from './commands';
import { type AppError, fail, type Result } from './result';
import type { Handlers, Port, ToWindow } from './rpc';
import { formProblem } from './shared/form-problem';

const Call = z.strictObject({
  kind: z.literal('call'),
  id: z.number().int(),
  command: z.string(),
  input: z.unknown(),
});
const Cancel = z.strictObject({ kind: z.literal('cancel'), id: z.number().int() });
const ToHost = z.discriminatedUnion('kind', [Call, Cancel]);

/** The reason of a signal whose caller is gone, and did not cancel. */
export class CallerGone extends Error {
  override name = 'CallerGone';
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

/**
 * Serves calls over `port`. Invalid input, an unknown command and a throwing handler (a bug: `report` receives it) all
 * become result values; no message from a window can throw here. `explain` describes machine faults, which are not bugs, and
 * returns null for other errors. A call runs when the promise of `mayRun` resolves, and is answered when that of `isSaved` does. Returns a
 * function that cancels running calls and stops serving: nothing that fails from then on is reported.
 */
export function serve<Context>(
  port: Port,
  handlers: Handlers<Context>,
  context: Context,
  report: (command: string, error: unknown) => void,
  explain: (error: unknown) => AppError | null = () => null,
  mayRun: (command: CommandName, signal: AbortSignal) => Promise<void> | undefined = () => undefined,
  isSaved: (command: CommandName) => Promise<void> | undefined = () => undefined,
): () => void {
  const running = new Map<number, AbortController>();
  let isStopped = false;

  const answer = async (name: CommandName, input: unknown, signal: AbortSignal): Promise<Result<unknown>> => {
    const parsed = commands[name].input.safeParse(input);
    if (!parsed.success) return refusal(name, parsed.error);
    // The table ties each input to its handler, but TypeScript cannot check a name that is known only at run time.
    const handler = handlers[name] as (
      i: unknown,
      c: Context,
      s: AbortSignal,
    ) => Promise<Result<unknown>> | Result<unknown>;
    try {
      const wait = mayRun(name, signal);
      if (wait !== undefined) await wait;
      if (isStopped) return fail('cancelled', 'closing');
      const result = await handler(parsed.data, context, signal);
      const saving = isSaved(name);
      if (saving !== undefined) await saving;
      return result;
    } catch (error) {
      if (!isStopped) report(name, error);
      const known = explain(error);
      if (known !== null) return { ok: false, error: known };
      return fail('internal', 'internal', {}, String(error));
    }
  };

  const stopListening = port.listen((message) => {
    const frame = ToHost.safeParse(message);
    if (!frame.success) return;
    if (frame.data.kind === 'cancel') {
      running.get(frame.data.id)?.abort();
      return;
    }
    const { id, command, input } = frame.data;
    if (!isCommand(command)) {
      port.post({
        kind: 'reply',
        id,
        result: fail('invalid', 'unknown_command', { name: command.slice(0, 100) }),
      });
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    void answer(command, input, controller.signal).then((result) => {
      running.delete(id);
      port.post({ kind: 'reply', id, result } satisfies ToWindow);
    });
  });

  return () => {
    isStopped = true;
    stopListening();
    const gone = new CallerGone('The window was closed.');
    for (const controller of running.values()) controller.abort(gone);
    running.clear();
  };
}

/** Text that is too long was pasted by a person, who needs no names of commands. Anything else is a bug of the caller. */
function refusal(name: CommandName, error: z.ZodError): Result<never> {
  const why = [formProblem(error)];
  const [issue] = error.issues;
  if (issue?.code === 'too_big' && issue.origin === 'string')
    return fail(
      'invalid',
      'text_too_long',
      { limit: Number(issue.maximum) },
      `${name}: ${issue.path.join('.')}`,
    );
  return fail('invalid', 'input_refused', { name, why });
}
