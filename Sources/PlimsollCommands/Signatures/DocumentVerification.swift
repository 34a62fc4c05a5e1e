import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

/// What a check of a signed document came to.
struct DocumentVerification {
    let signature: DistributionSignature
    let stamp: DocumentStamp?

    /// Checks the signature, or throws the failure that says why it is not trusted.
    init(
        _ body: [UInt8],
        signatureHeader: String?,
        dateHeader: String?,
        keyFile: String
    ) throws {
        do throws(VerificationRefusal) {
            signature = try DistributionSignature(
                signatureHeader: signatureHeader,
                dateHeader: dateHeader
            )
        } catch {
            throw Failure(error)
        }
        let keys = try trustedKeys(in: keyFile, for: signature.keyID)
        do throws(VerificationRefusal) {
            _ = try signature.verify(body, keys: keys).get()
        } catch {
            throw Failure(error)
        }
        let app = keys[signature.keyID]?.app
        stamp = DocumentStamp(in: body)
        if let stamp, let app, stamp.app != app {
            throw Failure(.keyOfAnotherApp(signature.keyID, app))
        }
    }

    var report: Report {
        var json: JSONObject = [
            "verified": true, "keyId": .string(signature.keyID.text),
            "date": .string(signature.date.text),
        ]
        json["plimsoll"] = stamp.map { .object($0.json) } ?? .null
        var blocks = [
            Report.Block.check(
                passed: true,
                "signed with the key \(signature.keyID) as of \(signature.date)"
            )
        ]
        if let stamp {
            blocks.append(
                .line(
                    "   \(stamp.app) on \(stamp.platform.name), event \(stamp.issue.position),"
                        + " sequence \(stamp.issue.sequence), good until \(stamp.issue.expiresAt)"
                )
            )
        }
        return Report(json, blocks)
    }
}

extension DocumentStamp {
    /// The stamp of a document whose platform is not known; other documents have none.
    fileprivate init?(in body: [UInt8]) {
        let stamps = Platform.allCases.lazy.filter { !$0.thresholds.isEmpty }.compactMap {
            platform in
            try? AvailabilityDocument(parsing: body, platform: platform, profile: .minimal).stamp
        }
        guard let stamp = stamps.first else { return nil }
        self = stamp
    }
}

extension Failure {
    init(_ refusal: VerificationRefusal) {
        self.init(.verificationFailed, "It is not verified.", detail: refusal.description)
    }
}
