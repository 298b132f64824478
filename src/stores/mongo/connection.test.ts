import { describe, expect, it } from 'vitest';
import { checkVersion } from './connection.ts';

describe('the version of a MongoDB server', () => {
  it.each(['4.4.0', '4.4.29', '5.0.1', '6.0.5', '8.0.0-rc1', '10.0.0'])('may be %s', (version) => {
    expect(() => checkVersion(version, 'mongodb:h/d')).not.toThrow();
  });

  it.each(['3.6.23', '4.0.28', '4.2.24'])('is too old: %s, and the answer says so', (version) => {
    expect(() => checkVersion(version, 'mongodb:h/d')).toThrow(
      `mongodb:h/d is MongoDB ${version}. Use a server of version 4.4 or newer.`,
    );
  });
});
