/// Lets a few tests at a time work with the scratch server, in the order they came.
///
/// A test run starts all its tests at once. On a small machine they would all take as long as
/// the whole run, and those that measure time would measure each other.
actor ScratchDatabaseGate {
    static let shared = ScratchDatabaseGate(width: 6)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(width: Int) { free = width }

    func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        guard waiting.isEmpty else {
            waiting.removeFirst().resume()
            return
        }
        free += 1
    }
}
