import Foundation
import PlimsollDocuments
import PlimsollDomain
import Testing

/// What `ssh-keygen -Y sign -n plimsoll-approval` has signed, with keys that were made for it.
@Suite struct PersonSignatureTests {
    private let signedAt: Instant
    private let statement: ApprovalStatement

    init() throws {
        signedAt = try #require(Instant(rfc3339: "2026-11-26T18:00:00.000Z"))
        statement = try Self.statement(at: signedAt)
    }

    private static func statement(
        app: String = "harbour",
        change: Int64 = 1,
        digest: String = "1",
        approver: String = "b0",
        at signedAt: Instant
    ) throws -> ApprovalStatement {
        let zeros = String(repeating: "0", count: 64 - digest.count)
        return ApprovalStatement(
            app: try #require(AppSlug(app)),
            change: try #require(ChangeID(rawValue: change)),
            digest: try #require(ChangeDigest(hex: zeros + digest)),
            approver: try #require(PrincipalID("00000000-0000-0000-0000-0000000000\(approver)")),
            signedAt: signedAt
        )
    }

    private static let armored = [
        """
        -----BEGIN SSH SIGNATURE-----
        U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg0ovgIPtBpkOB81mJb+dQb8O5pk
        jNUNN1SmByR1BEUlYAAAARcGxpbXNvbGwtYXBwcm92YWwAAAAAAAAABnNoYTUxMgAAAFMA
        AAALc3NoLWVkMjU1MTkAAABA5ELQZfw2G65QHVJ7RQ8L3t8VWyB5d2oYt9Bvn1U0Hf5JS+
        m0W7M64Lo2n1IKj8N8pjOs21DRmsLPnTBINJiEAw==
        -----END SSH SIGNATURE-----
        """,
        """
        -----BEGIN SSH SIGNATURE-----
        U1NIU0lHAAAAAQAAAGgAAAATZWNkc2Etc2hhMi1uaXN0cDI1NgAAAAhuaXN0cDI1NgAAAE
        EEZDlwg2juryqWlf6IBdbSvYzaihZo2v/WeeRMJDF3h+znf4qBFNITBmVmcX9MDk/Gnwkj
        9Nyyko/y/ovXmme5XwAAABFwbGltc29sbC1hcHByb3ZhbAAAAAAAAAAGc2hhNTEyAAAAZA
        AAABNlY2RzYS1zaGEyLW5pc3RwMjU2AAAASQAAACEAxFIh3pqlevOIiogeDPSNS2uzg5KG
        RSuZQuVaQ7WRIAEAAAAgUR4gUd2US59MsUgAy2WcYUjZx35OvUxIQBQEkM0gTus=
        -----END SSH SIGNATURE-----
        """,
    ]

    private static let fingerprints = [
        "SHA256:qzQZMysuIDLVTucCH+v8PDulH0RurpplXBLd53rVDWk",
        "SHA256:/k7sRh2NEspuIkhZVfncjEuIEGUCAktidEdNhfSaDlE",
    ]

    private func signature(_ armored: String) throws -> PersonSignature {
        try #require(PersonSignature(armored: armored, at: signedAt))
    }

    @Test func `what OpenSSH has signed is signed by the key that it names`() throws {
        for (armored, fingerprint) in zip(Self.armored, Self.fingerprints) {
            let signature = try signature(armored)
            #expect(signature.signs(statement))
            #expect(signature.key.fingerprint == fingerprint)
            #expect(signature.key.isUsable)
        }
    }

    @Test func `nothing else is signed, whichever line of the statement differs`() throws {
        let others = [
            try Self.statement(app: "harbours", at: signedAt),
            try Self.statement(change: 11, at: signedAt),
            try Self.statement(digest: "2", at: signedAt),
            try Self.statement(approver: "b1", at: signedAt),
            try Self.statement(at: signedAt.advanced(by: .milliseconds(1))),
        ]
        for armored in Self.armored {
            let signature = try signature(armored)
            for other in others { #expect(!signature.signs(other)) }
        }
    }

    @Test func `with one bit another it is no signature`() throws {
        for armored in Self.armored {
            let good = try signature(armored)
            let blob = try #require(Data(base64Encoded: good.value))
            for bit in 0..<blob.count * 8 {
                var changed = blob
                changed[bit / 8] ^= 1 << (bit % 8)
                let signature = PersonSignature(
                    key: good.key,
                    signedAt: signedAt,
                    value: changed.base64EncodedString()
                )
                #expect(!signature.signs(statement), "bit \(bit)")
            }
            for length in 0..<blob.count {
                let signature = PersonSignature(
                    key: good.key,
                    signedAt: signedAt,
                    value: blob.prefix(length).base64EncodedString()
                )
                #expect(!signature.signs(statement), "\(length) bytes")
            }
        }
    }

    @Test
    func `what was signed for something else, or is claimed for another key, counts for nothing`()
        throws
    {
        let committed = """
            -----BEGIN SSH SIGNATURE-----
            U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg0ovgIPtBpkOB81mJb+dQb8O5pk
            jNUNN1SmByR1BEUlYAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
            AAAAQBYnDY2hEXbTQERZCR0Pg+xtoMxG5bYkuvL2OvBj/Cb8sO30wD6sW16rTshkTvh+Gb
            ChaLvJ6y8c77n+bBOYSQ8=
            -----END SSH SIGNATURE-----
            """
        #expect(try !signature(committed).signs(statement))
        let (one, two) = (try signature(Self.armored[0]), try signature(Self.armored[1]))
        let claimed = PersonSignature(key: two.key, signedAt: signedAt, value: one.value)
        #expect(!claimed.signs(statement))
    }

    @Test func `keys of other kinds, and what is no signature, are not taken`() {
        let rsa = """
            -----BEGIN SSH SIGNATURE-----
            U1NIU0lHAAAAAQAAAZcAAAAHc3NoLXJzYQAAAAMBAAEAAAGBALasWl/myCG81An3xirCQE
            6H2JZauBx3HuWMGlb+7imVcrNJ0ZRTCT3uIVdnUXJWt+SXj50pb94DNC8kUh3JFfWc8se3
            HNUE/aIuWCT0OK+fGTru5gKT6zI5Hijpn8aVSJfpZci0NvmZ+WZNi5KuyTtHcA7GWsNy6n
            h5LmZcomQx4qY0Brn0i2Uk/NtgpitmgJbi35eIn0TuN6ZNAGHt5RTElJ1/79sKbR4aQRvC
            9faag6g543LIPsAr/6Q69jw92spo7shQ9Ka+a0limnZCZJWS3uj6DfXP4/Vk3ZJt8qQjU/
            RGivkXqnEx2KfgHmjinrvqWmj7ofBiADnWmg5MtJ3DzoX/nw6Us4Jh55FNpIKGJeo73VZg
            d7320s3BgbW4B+9VnizyqhWX771Fdzl2m/+fkWzCJrHzh/Ioc62H4OE2ikuLZjNFnlLcLH
            Y241eJTeC1RYvi1hJQjRUe6d2U2UezTFVyf/WA3AQ+SAwTCfux+h31cU4JAsYfG6MTlgb6
            ewAAABFwbGltc29sbC1hcHByb3ZhbAAAAAAAAAAGc2hhNTEyAAABlAAAAAxyc2Etc2hhMi
            01MTIAAAGAg+zKGUHozRn+olfPZ0nuU2S2Cjyvhavf0LgN43TuH5pg04ytSSVg3Xu2dWk+
            FqX5whtyAF0dy/GroctXONAXQeA0Fr3GMXhZJKtrc9GWJeYC74vDOdfRiFHrqiIDSuI0Y7
            7lcgrZDxOUTkxmy5HVQHA8Yeu6k/h9nPzHsKKIJ9IO01rEqE7xt44M2xOLQqhqDVYvuDcf
            OWfLbqmhYdq/Gd3nANxGqxCoda6bEYallhjTMBqGlmsqBgdT5xF5yD8js+cNFkCHXQSbwu
            WsaNeK6nbw9L8AjbUHLLRI7TjE0QF/lgmpXf3ct0c38bCvhXjPeBkg1h2Cz0I8k93kxJQD
            dyc54AiMBE7rCCiwxlWStXxHF2UHqPvznU/uG9ipWFbAHpAK/lVykiEYqWfFG2rMNYmFOR
            Oym78tc0/IMy1s2GViZcrjZVx0SMcTGobFVIx8g40VMUMkFT5fbVkjftBQJwLwdHcN/j3+
            g/h2F3B102uDdHzzVG/yJkMAT89Vpc9J
            -----END SSH SIGNATURE-----
            """
        let begin = "-----BEGIN SSH SIGNATURE-----"
        let end = "-----END SSH SIGNATURE-----"
        for wrong in [rsa, "", begin, "\(begin)\n\(end)", "\(begin)\n!!!!\n\(end)", "U1NIU0lH"] {
            #expect(PersonSignature(armored: wrong, at: signedAt) == nil)
        }
    }

    // The points of order 4, 1, 2 and 8: for each of them somebody without a secret can sign.
    @Test(arguments: [
        String(repeating: "00", count: 32),
        "01" + String(repeating: "00", count: 31),
        "ec" + String(repeating: "ff", count: 30) + "7f",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    ])
    func `a key that anybody can sign for is of no use`(_ hex: String) throws {
        var digits = Substring(hex)
        var blob = Data("\0\0\0\u{B}ssh-ed25519\0\0\0\u{20}".utf8)
        while !digits.isEmpty {
            blob.append(try #require(UInt8(digits.prefix(2), radix: 16)))
            digits = digits.dropFirst(2)
        }
        let key = try #require(PersonKey("ssh-ed25519 \(blob.base64EncodedString())"))
        #expect(!key.isUsable)
    }

    @Test func `bytes that are no point are a key of no use`() {
        let blob = "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBB"
        let key = PersonKey("ecdsa-sha2-nistp256 \(blob)" + String(repeating: "A", count: 86) + "=")
        #expect(key?.isUsable == false)
    }
}
