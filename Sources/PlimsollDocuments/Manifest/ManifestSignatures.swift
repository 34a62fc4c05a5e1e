/// The file `manifest.json.sig`: one line a key, in the form of the signature header.
package struct ManifestSignatures: Equatable, Sendable {
    package let signatures: [KeySignature]

    private static let countMaximum = 64

    package init(_ signatures: [KeySignature]) {
        self.signatures = signatures.sorted { $0.keyID < $1.keyID }
    }

    package var bytes: [UInt8] {
        signatures.flatMap { Array("\($0.headerValue)\n".utf8) }
    }

    /// Reads the lines; `nil` if there is none, or any that is no signature.
    package init?(parsing bytes: [UInt8]) {
        guard bytes.count <= Self.countMaximum * 256, bytes.last == UInt8(ascii: "\n") else {
            return nil
        }
        var signatures: [KeySignature] = []
        let lines = bytes.dropLast().split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: false
        )
        for line in lines {
            guard
                let text = String(validating: line, as: UTF8.self),
                let signature = KeySignature(headerValue: text)
            else { return nil }
            signatures.append(signature)
        }
        self.signatures = signatures
    }
}
