import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { ModelService } from '../settings/model-service';
import type { Confirmations } from '../window/confirmations';
import type { Connection } from '../window/connection';

export function modelsHandlers({
  models,
  confirmations,
}: {
  models: ModelService;
  confirmations: Confirmations;
}): HandlersOf<'models', Connection> {
  return {
    'models.setKey': ({ provider, key }) => models.setKey(provider, key),
    'models.setBaseUrl': ({ provider, baseUrl }) =>
      models.setBaseUrl(provider, baseUrl, (...asked) => confirmations.baseUrl(...asked)),
    'models.refresh': async (_input, _connection, signal) => {
      await models.lists.refresh(signal);
      return ok({});
    },
    'models.facts': ({ model }) => models.builtIn(model),
    'models.override': ({ model, override }) => models.override(model, override),
    'models.test': async ({ provider, model }, _connection, signal) =>
      ok(await models.test(provider, model, signal)),
    'models.undo': ({ provider, what, back }) => models.undo(provider, what, back),
  };
}
