import Glibc
import NIOCore
import Testing

@testable import PlimsollServer

struct ListenFailureTests {
    private let address = ListenAddress(host: "127.0.0.1", port: 80)

    @Test(arguments: [
        (EADDRINUSE, "the port is taken"), (EACCES, "CAP_NET_BIND_SERVICE"),
        (EADDRNOTAVAIL, "does not have the address"),
    ])
    func `what keeps a listener from its address is said with the setting that names it`(
        _ code: CInt,
        _ words: String
    ) throws {
        let error = IOError(errnoCode: code, reason: "bind")
        let failure = try #require(ListenFailure(error, of: .health, at: address))
        for part in [words, "127.0.0.1:80", "--health-listen", "PLIMSOLL_HEALTH_LISTEN"] {
            #expect(failure.description.contains(part), "\(failure)")
        }
        #expect(
            ListenFailure(error, of: .stats, at: address)?.description.contains("PLIM") == false
        )
    }

    @Test func `an error of another kind stays what it is`() {
        let error = IOError(errnoCode: ECONNRESET, reason: "read")
        #expect(ListenFailure(error, of: .rest, at: address) == nil)
        #expect(ListenFailure(CancellationError(), of: .rest, at: address) == nil)
    }
}
