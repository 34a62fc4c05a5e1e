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
        AAALc3NoLWVkMjU1MTkAAABAEvFzk8K4x55Rj9BuPmANEvlvFPDRp6SH0gMkIyUk7+Byjt
        Q9uz8ansJ1q6zgwI5+Er+3HD+g7G8FfZUknRNCBA==
        -----END SSH SIGNATURE-----
        """,
        """
        -----BEGIN SSH SIGNATURE-----
        U1NIU0lHAAAAAQAAAGgAAAATZWNkc2Etc2hhMi1uaXN0cDI1NgAAAAhuaXN0cDI1NgAAAE
        EEZDlwg2juryqWlf6IBdbSvYzaihZo2v/WeeRMJDF3h+znf4qBFNITBmVmcX9MDk/Gnwkj
        9Nyyko/y/ovXmme5XwAAABFwbGltc29sbC1hcHByb3ZhbAAAAAAAAAAGc2hhNTEyAAAAZA
        AAABNlY2RzYS1zaGEyLW5pc3RwMjU2AAAASQAAACEA9P/ZW5IQLyz3sIMbPDq3Rosr6qqO
        1e1BRZOWqc+PVA0AAAAgax93K0Tpafl0OiEWBena2cjPvvs4iL0afjON5zfzu8A=
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
            AAAAQL63+pNnfwuhI2NsdcY8zBeyMoC22gD1W2/vxh/WFdPsiLrfHgnpU9jtey09NV1shT
            kW3QsOeo+ADseNrQ/rPwo=
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
            01MTIAAAGADEGUI8lSJNjP2VSnDgGsMlirtw1D/XXvITjK9UH0dxFpAhK4T1NHcZtqZXhd
            ns9pxPkrgXTErMBgl+eWKCbM1OUiapFFrqvXsXtO39xLsvJBFsKBbY3FXvUXSztU1vhSmq
            OaSDCtoQd+fF9G/Z+McCCP2mldBCrX05f8ur++iQxAUs9fIYn/W1H9jQAWaEftbHP8c2bi
            nW5QVwaBqyZ7B8733DPbNqlsfmPQhEifrBoPckKmgajo/2bgeui9Ct61PuDkad7uZBKL3p
            EfFUO8bm/qM+yyd6wDav8hJNmYn9QnsY98TTPp/6Z+Q0EzbaA7SCK/EobikZdBF2XogC3c
            410QV5P+wNDwcfDc6Ij7VradXZXVIbxuSCuq7ART7srXls/7tolW6b0RfnZghtYKowQh/O
            Ll1OnoQHQYUHHmuSthnTzEeEoV6iFm5LsbtKe/gnRxK+zQR74rwqFXBLoqcNQUG59HGYfQ
            Xk/oS8yiBJhMXKuyW5DCLl/DVd+a8mTC
            -----END SSH SIGNATURE-----
            """
        let begin = "-----BEGIN SSH SIGNATURE-----"
        let end = "-----END SSH SIGNATURE-----"
        for wrong in [rsa, "", begin, "\(begin)\n\(end)", "\(begin)\n!!!!\n\(end)", "U1NIU0lH"] {
            #expect(PersonSignature(armored: wrong, at: signedAt) == nil)
        }
    }

    @Test func `bytes that are no point are a key of no use`() {
        let blob = "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBB"
        let key = PersonKey("ecdsa-sha2-nistp256 \(blob)" + String(repeating: "A", count: 86) + "=")
        #expect(key?.isUsable == false)
    }
}
