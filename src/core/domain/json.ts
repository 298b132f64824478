/** A JSON value. Params, results and opaque data are held in this form; domain/data.ts says what JSON cannot. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}
