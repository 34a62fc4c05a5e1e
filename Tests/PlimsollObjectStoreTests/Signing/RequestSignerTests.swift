import PlimsollDomain
import PlimsollObjectStore
import Testing

/// The signatures were made with botocore 1.44.5, which is AWS's own.
@Suite struct RequestSignerTests {
    /// 2026-11-22, 00:30:05 UTC.
    private let now = Instant(millisecondsSince1970: 1_795_307_405_999)

    private func headers(
        _ request: RequestSigner.Request,
        _ body: String = "",
        token: String? = nil
    ) -> [String: String] {
        let signer = RequestSigner(
            StoreCredentials(
                accessKey: "AKIDEXAMPLE",
                secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                sessionToken: token
            ),
            region: "eu-west-2"
        )
        let headers = signer.headers(of: request, body: Array(body.utf8), at: now)
        return Dictionary(headers.map { ($0.name, $0.value) }) { first, _ in first }
    }

    @Test func `a read is signed as botocore signs it`() {
        let signed = headers(
            RequestSigner.Request(
                "GET",
                host: "127.0.0.1:9000",
                path: "/config/live/current/harbour"
            )
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
        let signed = headers(
            RequestSigner.Request(
                "PUT",
                host: "config.s3.eu-west-2.amazonaws.com",
                path: "/distribution/harbour/availability-ios",
                headers: [
                    ("Content-Type", "application/json"),
                    ("cache-control", "public,  max-age=60, stale-if-error=86400 "),
                    ("if-none-match", "*"),
                    (
                        "x-amz-meta-signature",
                        #"keyId="b4c27bf3-8a76-4d2b-b91c-2152e7710a57",signature="MEUCIQ==""#
                    ),
                    ("x-amz-meta-signature-date", "Mon, 03 Aug 2020 22:59:35 UTC"),
                ]
            ),
            #"{"a":1}"#,
            token: "tok/en+1="
        )
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
        let signed = headers(
            RequestSigner.Request(
                "HEAD",
                host: "[::1]:9000",
                path: "/config/a%20b/%C3%BC~-_.",
                headers: [("if-match", "\"abc\"")]
            )
        )
        #expect(
            signed["authorization"]?.hasSuffix(
                "Signature=098433cd18d45a4660239cc4b6967113724604e66f82a27116e71f792c3ac976"
            ) == true
        )
    }

    @Test func `a secret is not part of any description`() {
        let credentials = StoreCredentials(accessKey: "AKID", secretKey: "hidden")
        #expect(!"\(credentials) \(String(reflecting: credentials))".contains("hidden"))
    }

    @Test(arguments: [
        [:], ["AWS_ACCESS_KEY_ID": "a"], ["AWS_SECRET_ACCESS_KEY": "b"],
        ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": ""],
    ])
    func `half a pair of credentials is none`(environment: [String: String]) {
        #expect(StoreCredentials(environment: environment) == nil)
    }
}
