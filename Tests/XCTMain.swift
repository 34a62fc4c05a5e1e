import Dispatch
import Testing

/// Starts the tests, as SwiftPM would.
///
/// SwiftPM looks for tests of XCTest, of which there are none, in an index that the compiler has to
/// write for it. It does not where it finds this file. `swift test --filter` then has to be told
/// `--disable-xctest --enable-swift-testing` too: without the second it runs nothing and succeeds.
@main struct Tests {
    // An asynchronous `main` would be the program's under test, whose symbols have the same names.
    static func main() {
        Task { await Testing.__swiftPMEntryPoint() as Never }
        dispatchMain()
    }
}
