import NIOCore

/// The limits of time as a loop adds them to its clock, never earlier than they say although
/// that may be a tick old.
struct Patience {
    let head: TimeAmount
    let idle: TimeAmount
    let linger: TimeAmount
    let tick: TimeAmount

    init(_ limits: EdgeLimits) {
        tick = TimeAmount(limits.tickInterval)
        head = TimeAmount(limits.headTimeout) + tick
        idle = TimeAmount(limits.idleTimeout) + tick
        linger = TimeAmount(limits.lingerTimeout) + tick
    }
}
