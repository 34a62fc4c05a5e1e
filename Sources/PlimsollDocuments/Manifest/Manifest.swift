package import Crypto
package import PlimsollDomain
package import PlimsollJSON

/// What a snapshot of an app consists of: `manifest.json`, signed apart from its files.
package struct Manifest: Equatable, Sendable {
    package let app: AppSlug
    /// Whether the app is also served at the addresses without an app.
    package let isDefault: Bool
    package let issue: SnapshotIssue
    /// In the order of their names, which differ.
    package let files: [ManifestFile]
    /// Of several keys that sign, the one whose signatures stand at the addresses that name no
    /// key; `nil` where there is but one.
    package var leadingKey: KeyID?
    /// What it rests on; `nil` where it was made by a program that did not say so yet.
    package var basis: SnapshotBasis?
    /// The newest checkpoint that there was; `nil` where there was none.
    package var checkpoint: NamedCheckpoint?
    /// The event whose state is to be looked at; what has it is never published, whoever signs it.
    package var inspection: Position?

    package static let fileName = "manifest.json"
    package static let signaturesFileName = "manifest.json.sig"
    /// What comes later, beside the manifest: that the log recorded it.
    package static let proofFileName = "proof.json"

    /// No signed document begins like this, since those begin with a date.
    private static let signingPrefix = Array("plimsoll-manifest/v1\n".utf8)

    package init(app: AppSlug, isDefault: Bool, issue: SnapshotIssue, files: [ManifestFile]) {
        precondition(
            Set(files.map(\.name)).count == files.count,
            "each file of a snapshot has a name of its own"
        )
        self.app = app
        self.isDefault = isDefault
        self.issue = issue
        self.files = files.sorted { $0.name < $1.name }
    }

    package func file(_ name: FileName) -> ManifestFile? { files.first { $0.name == name } }

    package var sequence: SnapshotSequence { issue.sequence }

    /// Signs the manifest's bytes as they will be stored.
    package static func sign(_ bytes: [UInt8], with signer: ContentSigner) throws -> KeySignature {
        try signer.signature(over: digest(bytes))
    }

    /// What a key has to sign for a manifest to be signed.
    package static func digest(_ bytes: [UInt8]) -> SHA256Digest {
        var hasher = SHA256()
        hasher.update(data: signingPrefix)
        hasher.update(data: bytes)
        return hasher.finalize()
    }
}

extension Manifest {
    /// No file of a snapshot is longer; a hundred languages of longest texts are nine megabytes.
    ///
    /// Whoever writes one, serves it or holds it against something else goes by this. Only apps with
    /// PlimsollClient refuse a document of more than 4 MiB, unless they set its bodyMaximum; the check
    /// clientsCannotRead says so before anybody approves one.
    package static let fileSizeMaximum = 16 << 20

    private static let limits = JSONLimits(sizeMaximum: 1 << 20)

    /// The canonical bytes: the same manifest always has the same.
    package var bytes: [UInt8] {
        var members: [JSONObject.Member] = [
            .init(key: "app", value: .string(app.text)),
            .init(key: "default", value: .bool(isDefault)),
            .init(key: "files", value: .array(files.map { .object($0.json) })),
        ]
        if let leadingKey {
            members.append(.init(key: "leadingKey", value: .string(leadingKey.text)))
        }
        if let basis { members.append(.init(key: "basis", value: .object(basis.json))) }
        if let checkpoint {
            members.append(.init(key: "checkpoint", value: .object(checkpoint.json)))
        }
        if let inspection {
            members.append(.init(key: "inspection", value: .integer(inspection.rawValue)))
        }
        return JSONObject(members + issue.members).canonicalBytes()
    }

    /// Reads a manifest exactly as it is written; any other spelling of the same is refused.
    ///
    /// A later program may say more of what it rests on, which informs and permits nothing. What it
    /// adds elsewhere may forbid something, and is refused.
    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: Self.limits)
        let app = reader.string("app", needing: AppSlug.grammar, AppSlug.init)
        let isDefault = reader.bool("default")
        let issue = reader.issue()
        let files = reader.objects("files", .refused, ManifestFile.read)
        let leadingKey = reader.optionalString(
            "leadingKey",
            needing: "a lower-case UUID",
            KeyID.init
        )
        let foundations = reader.optionalObject("basis")
        let basis = foundations.flatMap { object in
            let place = reader.pointer.appending("basis")
            return reader.nested(object, at: place, .ignored) { SnapshotBasis(&$0) }
        }
        let checkpoint = reader.optionalObject("checkpoint") { NamedCheckpoint(&$0) }
        let inspection = reader.optionalMember("inspection", needing: "the number of an event") {
            $0.integer.flatMap(Position.init(rawValue:))
        }
        if let files, Set(files.map(\.name)).count != files.count {
            reader.refuse("files", "Two files have one name; each needs its own.")
        }
        let written = reader.object
        var understood = written
        if let foundations { understood["basis"] = .object(foundations.understoodAsBasis) }
        let manifest = try reader.finish {
            guard let app, let isDefault, let issue, let files else { return nil as Manifest? }
            var read = Manifest(app: app, isDefault: isDefault, issue: issue, files: files)
            (read.leadingKey, read.basis, read.checkpoint) = (leadingKey, basis, checkpoint)
            read.inspection = inspection
            return read
        }
        guard
            manifest.bytes == understood.canonicalBytes(), written.canonicalBytes() == bytes
        else {
            throw JSONIssues([
                JSONIssue(
                    pointer: .root,
                    detail: "The manifest is not in its canonical form."
                )
            ])
        }
        self = manifest
    }
}

extension ManifestFile {
    fileprivate var json: JSONObject {
        [
            "length": .integer(Int64(length)),
            "mediaType": .string(mediaType),
            "name": .string(name.text),
            "sequence": .integer(sequence.rawValue),
            "sha256": .string(digest.hex),
            "signatures": .array(signatures.map { .object($0.json) }),
        ]
    }

    fileprivate static func read(_ reader: inout ObjectReader) -> ManifestFile? {
        let name = reader.string("name", needing: FileName.grammar, FileName.init)
        let mediaType = reader.string("mediaType", needing: "a media type", headerValue)
        let length = reader.member("length", needing: "a number of bytes") {
            $0.integer.flatMap(Int.init(exactly:)).flatMap { $0 >= 0 ? $0 : nil }
        }
        let digest = reader.string("sha256", needing: "64 lower-case hexadecimal digits") {
            ContentDigest(hex: $0)
        }
        let sequence = reader.sequence("sequence")
        let signatures = reader.objects("signatures", .refused, DistributionSignature.read)
        guard let name, let mediaType, let length, let digest, let sequence, let signatures else {
            return nil
        }
        return ManifestFile(
            name: name,
            mediaType: mediaType,
            content: (length, digest),
            sequence: sequence,
            signatures: signatures
        )
    }
}

extension DistributionSignature {
    fileprivate var json: JSONObject {
        [
            "date": .string(date.text),
            "keyId": .string(keyID.text),
            "signature": .string(signature.base64),
        ]
    }

    fileprivate static func read(_ reader: inout ObjectReader) -> DistributionSignature? {
        let date = reader.string("date", needing: "the text of a date", SignatureDate.init)
        let keyID = reader.string("keyId", needing: "a lower-case UUID", KeyID.init)
        let signature = reader.string("signature", needing: "a signature in base64") { text in
            keyID.flatMap { KeySignature(keyID: $0, base64: text) }
        }
        guard let date, let signature else { return nil }
        return DistributionSignature(date: date, signature: signature)
    }
}

/// Printable ASCII: the text is sent in a header, and must not end it.
private func headerValue(_ text: String) -> String? {
    (1...100).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        ? text : nil
}

extension Manifest {
    /// Of signatures of one file, the one that stands at the addresses that name no key.
    package func leading(of signatures: [DistributionSignature]) -> DistributionSignature? {
        signatures.first { $0.keyID == leadingKey } ?? signatures.first
    }

    /// The keys that have signed a file.
    package var signers: Set<KeyID> {
        Set(files.flatMap { $0.signatures.map(\.keyID) })
    }
}

/// One file of a snapshot, as the manifest describes it.
package struct ManifestFile: Equatable, Sendable {
    package let name: FileName
    package let mediaType: String
    /// In bytes.
    package let length: Int
    package let digest: ContentDigest
    /// The publication this file is from; older than the snapshot's where nothing changed since.
    package let sequence: SnapshotSequence
    /// One for each key, in the order of their ids.
    package let signatures: [DistributionSignature]

    /// Describes a file as it is; its bytes are not kept.
    package init(
        name: FileName,
        mediaType: String,
        body: [UInt8],
        sequence: SnapshotSequence,
        signatures: [DistributionSignature]
    ) {
        self.init(
            name: name,
            mediaType: mediaType,
            content: (body.count, ContentDigest(of: body)),
            sequence: sequence,
            signatures: signatures
        )
    }

    init(
        name: FileName,
        mediaType: String,
        content: (length: Int, digest: ContentDigest),
        sequence: SnapshotSequence,
        signatures: [DistributionSignature]
    ) {
        self.name = name
        self.mediaType = mediaType
        (length, digest) = content
        self.sequence = sequence
        self.signatures = signatures.sorted { $0.keyID < $1.keyID }
    }
}

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

/// The name of a published file, which is the last segment of its address.
///
/// Lower-case letters, digits, `-`, `_` and `.`, 1 to 100 of them, not beginning with a dot; and
/// not the name of the manifest or its proof, so a file can be joined to a folder without a further look.
package struct FileName: Comparable, TextName {
    package let text: String

    package static let grammar =
        "1 to 100 lower-case letters, digits, hyphens, underscores or inner dots"

    package init?(_ text: String) {
        let bytes = text.utf8
        guard
            (1...100).contains(bytes.count), bytes.first != UInt8(ascii: "."),
            bytes.allSatisfy(Self.isAllowed), !text.hasPrefix(Manifest.fileName),
            text != Manifest.proofFileName
        else { return nil }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// The SHA-256 of some bytes, written as 64 lower-case hexadecimal digits.
package struct ContentDigest: Hashable, Sendable {
    package let hex: String

    package init(of bytes: [UInt8]) {
        self.init(SHA256.hash(data: bytes))
    }

    package init(_ digest: SHA256Digest) {
        hex = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    package init?(hex: String) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy(isHexDigit) else { return nil }
        self.hex = hex
    }
}

extension ContentDigest: CustomStringConvertible {
    package var description: String { hex }
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
}
