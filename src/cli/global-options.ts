import { flag, value, values } from './option.ts';
import { toText } from './option-values.ts';

/** Taken by every command, before its name or after it. */
export const GLOBAL_OPTIONS = {
  json: flag('--json', 'Print JSON, one document per line.'),
  quiet: flag('-q, --quiet', 'Print nothing but results and errors.'),
  server: value('--server <url>', 'The server to talk to (BATCHYARD_SERVER).', toText),
  token: value('--token <secret>', 'The access token to show (BATCHYARD_TOKEN).', toText),
  namespace: {
    ...values('-n, --namespace <name>', '', toText, 'namespace'),
    summary: 'The namespace to work in (BATCHYARD_NAMESPACE).',
  },
  config: value('--config <file>', 'The configuration file (batchyard.yaml).', toText, 'file'),
};
