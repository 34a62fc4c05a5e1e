import Crypto
import Foundation
import PlimsollTestSupport
import Testing

@testable import PlimsollClient

/// A signature is no name: of each, anybody can make another one that verifies as well.
@Suite struct OtherSignatureTests {
    @Test func `the other signature that anybody can make gives the same document, kept once`()
        async throws
    {
        try await Harbour.with { harbour in
            let signed = try harbour.signed()
            let other = SignedDocument(
                body: signed.body,
                signature: try mirrored(try #require(signed.signature)),
                date: signed.date
            )
            #expect(other.signature != signed.signature)
            let folder = try harbour.documentFolder
            for each in [signed, other] {
                let document = try harbour.verifier.document(from: each)
                #expect(document.stamp.sequence == 113)
                try folder.keep(
                    KeptDocument(document: document, signed: each, entityTag: "\"1\"")
                )
            }
            #expect(harbour.files.count == 1)
        }
    }

    /// The header with (r, n − s) in place of (r, s).
    private func mirrored(_ header: String) throws -> String {
        let parts = header.components(separatedBy: "signature=\"")
        let text = String(try #require(parts.last).dropLast())
        let signature = try P256.Signing.ECDSASignature(
            derRepresentation: try #require(Data(base64Encoded: text))
        )
        let raw = [UInt8](signature.rawRepresentation)
        let mirror = raw.prefix(32) + difference(Self.order, Array(raw.suffix(32)))
        let other = try P256.Signing.ECDSASignature(rawRepresentation: Data(mirror))
        return "\(parts[0])signature=\"\(other.derRepresentation.base64EncodedString())\""
    }

    private func difference(_ minuend: [UInt8], _ subtrahend: [UInt8]) -> [UInt8] {
        var borrow = 0
        var digits: [UInt8] = []
        for (left, right) in zip(minuend.reversed(), subtrahend.reversed()) {
            let digit = Int(left) - Int(right) - borrow
            borrow = digit < 0 ? 1 : 0
            digits.append(UInt8(digit + borrow * 256))
        }
        return digits.reversed()
    }

    /// How many points the curve P-256 has.
    private static let order: [UInt8] =
        [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] + Array(repeating: 0xFF, count: 8) + [
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63,
            0x25, 0x51,
        ]
}
