import CLinux

/// A thread for what would hold up the cooperative pool.
enum DetachedThread {
    /// Runs the body on a thread of its own, which ends with it and takes no signals.
    ///
    /// Answers whether the system granted a thread.
    static func start(named name: StaticString, _ body: @escaping @Sendable () -> Void) -> Bool {
        let kept = unsafe Unmanaged.passRetained(Body(run: body))
        let context = unsafe kept.toOpaque()
        let started = unsafe String(describing: name).withCString { name in
            unsafe creadiness_start_thread(
                { context in
                    guard let context = unsafe context else { return }
                    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                },
                context,
                name
            )
        }
        if started != 0 { unsafe kept.release() }
        return started == 0
    }

    /// Answers what a blocking call answers, or `nil` when that takes longer than until the
    /// deadline; the call itself then goes on unattended.
    static func value<Value: Sendable>(
        until deadline: ContinuousClock.Instant?,
        of call: @escaping @Sendable () -> Value
    ) async -> Value? {
        let waiter = Waiter<Value?>()
        guard start(named: "blocking call", { waiter.resume(call()) }) else { return nil }
        return await waiter.value(until: deadline, late: nil, cancelled: nil)
    }
}

private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
