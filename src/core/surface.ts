import { allDead } from './death.ts'
import type { Surface, SurfaceReason } from './decision.ts'
import type { View } from './selection.ts'
import { surfacedClass } from './surfaced-class.ts'

/** Gives the call up, with the class that tells the next layer the best remedy. See {@link surfacedClass} for `all`. */
export function surface(view: View, reason: SurfaceReason, all: boolean): Surface {
  return { kind: 'surface', reason, ...surfacedClass(view, all), ...chainDead(view) }
}

/** Every candidate is permanently refused: the one case that raises the alarm. */
export function chainDead(view: View): { readonly chainDead?: true } | undefined {
  return allDead(view) ? { chainDead: true } : undefined
}
