import Testing

@testable import PlimsollEdge

/// Holds the numbers in the parser against what they stand for.
@Suite struct ByteClassTests {
    private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let digits = "0123456789"

    private func members(_ set: ByteClass) -> Set<UInt8> {
        Set((UInt8.min...UInt8.max).filter(set.contains))
    }

    @Test func `a token has the characters of RFC 9110`() {
        let expected = Self.letters + Self.digits + "!#$%&'*+-.^_`|~"
        #expect(members(.token) == Set(expected.utf8))
    }

    @Test func `a target has the characters of RFC 3986 but the fragment's`() {
        let expected = Self.letters + Self.digits + "-._~%!$&'()*+,;=:@/?[]"
        #expect(members(.target) == Set(expected.utf8))
    }

    @Test func `a host has no slash, no question mark and no user`() {
        let expected = Self.letters + Self.digits + "-._~%!$&'()*+,;=:[]"
        #expect(members(.host) == Set(expected.utf8))
    }

    @Test func `field content excludes exactly the controls`() {
        let excluded = Set(UInt8.min...UInt8.max).subtracting(
            (UInt8.min...UInt8.max).filter(\.isFieldContent)
        )
        #expect(excluded == Set((0...0x1F).filter { $0 != 0x09 } + [0x7F]))
    }

    @Test func `hexadecimal digits are the twenty-two there are`() {
        let found = (UInt8.min...UInt8.max).filter(\.isHexDigit)
        #expect(Set(found) == Set("0123456789abcdefABCDEF".utf8))
    }
}

@Suite struct PackedNameTests {
    private func field(_ name: String) -> KnownField? {
        guard let first = name.utf8.first else { return nil }
        return KnownField(PackedName(name), firstByte: first)
    }

    @Test(arguments: [
        ("Host", KnownField.host), ("HOST", .host), ("expect", .expect),
        ("Connection", .connection), ("If-None-Match", .ifNoneMatch),
        ("Content-Length", .contentLength), ("Accept-Encoding", .acceptEncoding),
        ("Transfer-Encoding", .transferEncoding), ("tRANSFER-eNCODING", .transferEncoding),
    ])
    func `a field is known in any letter case`(name: String, expected: KnownField) {
        #expect(field(name) == expected)
    }

    @Test(arguments: [
        "Hos", "Hosts", "XHost", "X-Host", "Connectio", "Xransfer-Encoding", "ransfer-Encoding",
        "X-Transfer-Encoding", "TTransfer-Encoding", "Content_Length", "Accept-Encodin",
        "XIf-None-Match", "XXXXXXXXXXXXXXXXXXXXHost",
    ])
    func `a name that is nearly one is another`(name: String) {
        #expect(field(name) == nil)
    }

    @Test func `the packed words are the words`() {
        #expect(PackedName.close == PackedName("Close"))
        #expect(PackedName.chunked == PackedName("chunked"))
        #expect(PackedName.gzip == PackedName("gzip"))
        #expect(PackedName.xGzip == PackedName("x-gzip"))
        #expect(PackedName.identity == PackedName("identity"))
        #expect(PackedName.any == PackedName("*"))
        #expect(PackedName.hundredContinue == PackedName("100-continue"))
    }
}
