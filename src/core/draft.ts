/** An object while it is being made: fields are added only where they say something. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] }
