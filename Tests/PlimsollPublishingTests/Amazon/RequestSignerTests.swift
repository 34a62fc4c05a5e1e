import PlimsollPublishing
import PlimsollDomain
import Testing

/// The vectors of Amazon's own test suite for Signature Version 4.
@Suite struct RequestSignerTests {
    private let credentials = AmazonCredentials(
        accessKeyID: "AKIDEXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    )

    private func authorization(
        of request: AmazonRequest,
        _ credentials: AmazonCredentials? = nil
    ) throws -> String {
        let now = try #require(Instant(rfc3339: "2015-08-30T12:36:00.000Z"))
        let signer = RequestSigner(
            credentials ?? self.credentials,
            region: "us-east-1",
            service: "service"
        )
        let headers = signer.headers(for: request, at: now)
        #expect(headers.contains(AmazonRequest.Field("X-Amz-Date", "20150830T123600Z")))
        return try #require(headers.last { $0.name == "Authorization" }?.value)
    }

    private func request(_ method: String) -> AmazonRequest {
        AmazonRequest(method, "https://example.amazonaws.com", "/")
    }

    private func expected(_ headers: String, _ signature: String) -> String {
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,"
            + " SignedHeaders=\(headers), Signature=\(signature)"
    }

    @Test(arguments: [
        ("GET", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        ("POST", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
    ])
    func `a bare request is signed as in the suite`(method: String, signature: String) throws {
        #expect(
            try authorization(of: request(method)) == expected("host;x-amz-date", signature)
        )
    }

    @Test func `a query is signed in the order of its names`() throws {
        var request = request("GET")
        request.query = [.init("Param2", "value2"), .init("Param1", "value1")]
        #expect(
            try authorization(of: request)
                == expected(
                    "host;x-amz-date",
                    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
                )
        )
    }

    @Test func `a body and its type are signed`() throws {
        var request = request("POST")
        request.headers = [.init("Content-Type", "application/x-www-form-urlencoded")]
        request.body = Array("Param1=value1".utf8)
        #expect(
            try authorization(of: request)
                == expected(
                    "content-type;host;x-amz-date",
                    "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
                )
        )
    }

    @Test func `the token of a session is signed too`() throws {
        let token =
            "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFq"
            + "wAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2w"
            + "UE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+x"
            + "o0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3i"
            + "SIlTJabIQwj2ICCR/oLxBA=="
        let session = AmazonCredentials(
            accessKeyID: "AKIDEXAMPLE",
            secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            sessionToken: token
        )
        #expect(
            try authorization(of: request("POST"), session)
                == expected(
                    "host;x-amz-date;x-amz-security-token",
                    "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"
                )
        )
    }

    @Test func `blanks in a header count once`() throws {
        var (tight, loose) = (request("GET"), request("GET"))
        tight.headers = [.init("My-Header", "a b c")]
        loose.headers = [.init("My-Header", "  a   b c ")]
        #expect(try authorization(of: tight) == authorization(of: loose))
    }

    @Test(arguments: [
        [:], ["AWS_ACCESS_KEY_ID": "a"], ["AWS_SECRET_ACCESS_KEY": "b"],
        ["AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "b"],
    ])
    func `half of the credentials are none`(environment: [String: String]) {
        #expect(AmazonCredentials(environment: environment) == nil)
    }

    @Test func `credentials show no secret`() throws {
        let whole = try #require(
            AmazonCredentials(environment: [
                "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "hush",
                "AWS_SESSION_TOKEN": "hush",
            ])
        )
        #expect(!"\(whole) \(String(reflecting: whole))".contains("hush"))
    }
}
