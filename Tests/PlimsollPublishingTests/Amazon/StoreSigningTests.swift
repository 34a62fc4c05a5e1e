import PlimsollPublishing
import PlimsollDomain
import Testing

/// What a store is asked; the signatures were made with botocore 1.44.5, which is AWS's own.
@Suite struct StoreSigningTests {
    /// 2026-11-22, 00:30:05 UTC.
    private let now = Instant(millisecondsSince1970: 1_795_307_405_999)

    private func headers(
        _ request: AmazonRequest,
        token: String? = nil
    ) -> [String: String] {
        let signer = RequestSigner(
            AmazonCredentials(
                accessKeyID: "AKIDEXAMPLE",
                secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                sessionToken: token
            ),
            region: "eu-west-2",
            service: "s3"
        )
        let headers = signer.headers(for: request, at: now)
        return Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
    }

    @Test func `a read is signed as botocore signs it`() {
        let signed = headers(
            AmazonRequest("GET", "http://127.0.0.1:9000", "/config/live/current/harbour")
        )
        #expect(signed["x-amz-date"] == "20261122T003005Z")
        #expect(
            signed["authorization"] == """
                AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261122/eu-west-2/s3/aws4_request, \
                SignedHeaders=host;x-amz-content-sha256;x-amz-date, \
                Signature=6f72893d83eaacac204fb6f72a13bd4553ed2f6983a5abb5546fb08e598516b6
                """
        )
    }

    @Test func `a write is signed with its condition, its metadata and a session's token`() {
        var request = AmazonRequest(
            "PUT",
            "https://config.s3.eu-west-2.amazonaws.com:443",
            "/distribution/harbour/availability-ios"
        )
        request.headers = [
            .init("Content-Type", "application/json"),
            .init("cache-control", "public,  max-age=60, stale-if-error=86400 "),
            .init("if-none-match", "*"),
            .init(
                "x-amz-meta-signature",
                #"keyId="b4c27bf3-8a76-4d2b-b91c-2152e7710a57",signature="MEUCIQ==""#
            ),
            .init("x-amz-meta-signature-date", "Mon, 03 Aug 2020 22:59:35 UTC"),
        ]
        request.body = Array(#"{"a":1}"#.utf8)
        let signed = headers(request, token: "tok/en+1=")
        #expect(
            signed["x-amz-content-sha256"]
                == "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
        )
        #expect(signed["x-amz-security-token"] == "tok/en+1=")
        #expect(
            signed["authorization"]?.hasSuffix(
                "Signature=61e8b132145acc18e9e2763b9d5eac795fea0209f775cfcd0136db809e652888"
            ) == true
        )
    }

    @Test func `a path is signed as it stands`() {
        var request = AmazonRequest("HEAD", "http://[::1]:9000", "/config/a%20b/%C3%BC~-_.")
        request.headers = [.init("if-match", "\"abc\"")]
        #expect(
            headers(request)["authorization"]?.hasSuffix(
                "Signature=098433cd18d45a4660239cc4b6967113724604e66f82a27116e71f792c3ac976"
            ) == true
        )
    }

    @Test(arguments: [
        ("https://a.example:443", "a.example"), ("HTTPS://a.example:443", "a.example"),
        ("http://a.example:80", "a.example"), ("http://a.example:443", "a.example:443"),
        ("https://a.example:8443", "a.example:8443"), ("http://[::1]:80", "[::1]"),
    ])
    func `the host is named without the port that the scheme stands for`(
        origin: String,
        host: String
    ) {
        #expect(AmazonRequest("GET", origin, "/").host == host)
        #expect(headers(AmazonRequest("GET", origin, "/"))["host"] == host)
    }
}
