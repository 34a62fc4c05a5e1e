import PlimsollDomain
package import PlimsollJSON

extension Manifest {
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
