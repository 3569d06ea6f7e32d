import * as z from 'zod/mini'

/**
 * The contract's fields as a schema, for those who validate at their own edge. heed itself uses a hand-written
 * reader, many times cheaper and proven equal to this by a test: `class` is an open string, so that a fifth class is
 * passed through and not a parse failure; a malformed hint is dropped, never a reason to lose the class.
 *
 * @remarks `z.safeParse(classificationSchema, value)` answers the fields of one object; it follows no `cause`.
 */
export const classificationSchema: z.ZodMiniObject<{
  class: z.ZodMiniPipe<z.ZodMiniString, z.ZodMiniTransform<string, string>>
  retry_after_secs: z.ZodMiniOptional<z.ZodMiniCatch<z.ZodMiniUnion<readonly [z.ZodMiniNumber, z.ZodMiniUndefined]>>>
}> = /* @__PURE__ */ z.object({
  class: /* @__PURE__ */ z.pipe(
    /* @__PURE__ */ z.string(),
    /* @__PURE__ */ z.transform((stated: string) => (stated === 'auth' ? 'auth_required' : stated)),
  ),
  retry_after_secs: /* @__PURE__ */ z.optional(
    /* @__PURE__ */ z.catch(
      /* @__PURE__ */ z.union([
        /* @__PURE__ */ z.number().check(/* @__PURE__ */ z.gte(0)),
        /* @__PURE__ */ z.undefined(),
      ]),
      undefined,
    ),
  ),
})
