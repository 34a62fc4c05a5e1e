import Configuration
import PlimsollEdge
import PlimsollServer
import Testing

/// With which certificate phones are served.
struct TLSConfigurationTests {
    private func files(_ environment: [String: String]) async throws -> TLSFiles? {
        try await ServerSettings.read(
            arguments: ["data": .string("/data")],
            environment: environment
        ) {
            try ServerConfiguration(config: $0, environment: environment).publicTLS
        }
    }

    @Test func `a certificate and its key are given together, or none is`() async throws {
        #expect(try await files([:]) == nil)
        #expect(
            try await files([
                "PLIMSOLL_PUBLIC_TLS_CERTIFICATE": "/tls/chain.pem",
                "PLIMSOLL_PUBLIC_TLS_KEY": "/tls/key.pem",
            ]) == TLSFiles(certificate: "/tls/chain.pem", key: "/tls/key.pem")
        )
    }

    @Test(arguments: [
        (["CERTIFICATE": "/tls/chain.pem"], "public.tls.key"),
        (["KEY": "/tls/key.pem"], "public.tls.certificate"),
        (["CERTIFICATE": "chain.pem", "KEY": "/tls/key.pem"], "public.tls.certificate"),
        (["CERTIFICATE": "/tls/chain.pem", "KEY": "key.pem"], "public.tls.key"),
        (["CERTIFICATE": "", "KEY": "/tls/key.pem"], "public.tls.certificate"),
    ])
    func `what is missing is named`(given: [String: String], key: String) async throws {
        let variables = given.map { ("PLIMSOLL_PUBLIC_TLS_\($0.key)", $0.value) }
        let error = await #expect(throws: ConfigurationError.self) {
            try await files(Dictionary(uniqueKeysWithValues: variables))
        }
        #expect(error?.key == key)
    }
}
