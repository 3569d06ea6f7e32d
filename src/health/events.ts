import type {
  AdvanceEvent,
  AttemptEvent,
  AuthPromptEvent,
  ChainDeadEvent,
  CommitEvent,
  CoolingEvent,
  DecisionEvent,
  FailureEvent,
  MalformedEvent,
  PassthroughEvent,
  PauseEvent,
  ReduceEvent,
  ResumeEvent,
  RetryEvent,
  SuccessEvent,
  SurfaceEvent,
} from './call-events.ts'

/** A human answered. Not an event of one call. */
export interface AuthResolvedEvent {
  readonly at: number
  readonly provider: string
  readonly outcome: 'resolved' | 'declined'
  /** The generation that starts with a resolution, or that was declined. */
  readonly generation: number
  /** The reason given to `decline`. */
  readonly reason?: string
  /** Calls that were waiting for it. */
  readonly waiting: number
}

/** A target that was cooling served again, or was revived by hand. */
export interface RecoveredEvent {
  readonly callId?: string
  readonly at: number
  readonly asked?: string
  readonly candidate: string
  readonly credential?: string
  readonly by: 'success' | 'revive'
}

/** A listener of yours threw or rejected. Nothing else noticed. */
export interface ListenerFaultEvent {
  readonly at: number
  /** The event it listened to. */
  readonly listenedTo: string
}

/** The shared store cannot be reached, or does not take changes. Once, until it has healed; calls go on by what is known here. */
export interface StoreFaultEvent {
  readonly at: number
  /** Its connection is lost, it rejects changes, or it does not answer. */
  readonly fault: 'lost' | 'rejected' | 'timed_out'
}

/** The shared store is heard again, and has taken all that was kept for it. */
export interface StoreHealedEvent {
  readonly at: number
  /** Milliseconds since the fault. */
  readonly afterMs: number
}

/** All events of the health channel by name. */
export interface HealthEvents {
  readonly attempt: AttemptEvent
  readonly failure: FailureEvent
  readonly retry: RetryEvent
  readonly advance: AdvanceEvent
  readonly pause: PauseEvent
  readonly resume: ResumeEvent
  readonly reduce: ReduceEvent
  readonly commit: CommitEvent
  readonly success: SuccessEvent
  readonly surface: SurfaceEvent
  readonly passthrough: PassthroughEvent
  readonly auth_prompt: AuthPromptEvent
  readonly auth_resolved: AuthResolvedEvent
  readonly cooling: CoolingEvent
  readonly recovered: RecoveredEvent
  readonly chain_dead: ChainDeadEvent
  readonly malformed: MalformedEvent
  readonly listener_fault: ListenerFaultEvent
  readonly store_fault: StoreFaultEvent
  readonly store_healed: StoreHealedEvent
  readonly decision: DecisionEvent
}

/** The name of an event. */
export type HealthEventName = keyof HealthEvents
