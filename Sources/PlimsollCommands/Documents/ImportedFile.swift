import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

/// A file that says what shall stand: an availability document, or one for Prince of Versions.
struct ImportedFile {
    /// For one platform, or for those that a document for Prince of Versions has.
    let documents: [Document]
    /// What could not be taken over, as sentences.
    let losses: [String]
    private let isWhole: Bool
    private let bytes: [UInt8]
    private let members: JSONObject

    init(_ path: String, platform: Platform?, emptyTexts: EmptyTexts = .refused) throws {
        bytes = try contents(of: path)
        members = try Self.members(bytes, path)
        guard PrinceImport.isLikely(members) else {
            let file = try DocumentFile(path, bytes, platform: platform, emptyTexts: emptyTexts)
            documents = [file.document]
            (losses, isWhole) = (emptyTexts == .dropped ? file.emptyTexts : [], true)
            return
        }
        guard platform == nil else {
            throw Failure(.usage, "\(path) names its platforms itself; leave out --platform.")
        }
        do {
            let prince = try PrinceImport(parsing: bytes)
            (documents, losses, isWhole) = (prince.documents, prince.losses, false)
        } catch {
            throw Failure(
                .failed,
                "\(path) says what clients of Prince of Versions do not read alike.",
                checks: error.checks
            )
        }
    }

    /// What is no JSON is said before anybody asks what kind of document it is.
    private static func members(_ bytes: [UInt8], _ path: String) throws -> JSONObject {
        do {
            return try ForgivingDocument(bytes, limits: limits).members
        } catch {
            throw Failure(.failed, "\(path) is no document.", checks: error.checks)
        }
    }

    private static let limits = JSONLimits(sizeMaximum: 4 << 20)

    /// Whether the file says what clients of Prince of Versions are told.
    var tellsPrinceClients: Bool { !isWhole }

    /// Whether it is what clients are told of the platform already, word for word.
    func says(what told: JSONObject, of platform: Platform) -> Bool {
        tellsPrinceClients
            && ["meta", platform.rawValue, "\(platform.rawValue)2"].allSatisfy {
                members[$0] == told[$0]
            }
    }

    /// What becomes another for any generation of clients of Prince of Versions.
    ///
    /// Of releases nothing is known here, so where thresholds are told they are told to all systems.
    func comparison(for clients: PrinceClients) -> PrinceComparison? {
        guard tellsPrinceClients else { return nil }
        var source = PrinceExport.Source(documents)
        source.clients = clients
        return PrinceComparison(bytes, PrinceExport(source).document)
    }

    /// What stands afterwards where something stands now.
    ///
    /// A document for Prince of Versions has offers and nothing else, or it knows the thresholds for
    /// the app, and may leave the texts and those for the system as they are; an availability
    /// document knows no offers.
    func replacement(for live: Document, by imported: Document) -> Document {
        // An object for clients before 4.0 alone says nothing of the rest.
        if !isWhole, imported.offers.isEmpty, !imported.hasThresholds {
            var replacement = live
            replacement.legacy = imported.legacy
            return replacement
        }
        var replacement = isWhole ? imported : live
        replacement.offers = isWhole ? live.offers : imported.offers
        replacement.legacy = isWhole ? live.legacy : imported.legacy
        guard !isWhole, imported.offers.isEmpty else { return replacement }
        for name in ThresholdName.allCases where !(name.isOfSystem && imported[name].isEmpty) {
            var threshold = imported[name]
            if name.isOfSystem { threshold.value = threshold.value ?? live[name].value }
            if threshold.value != nil {
                threshold.titles = live[name].titles.merging(threshold.titles) { $1 }
                threshold.descriptions = live[name].descriptions
                    .merging(threshold.descriptions) { $1 }
            }
            replacement[name] = threshold
        }
        return replacement
    }
}

extension Document {
    /// Without the object for clients before 4.0 where the rest leads to the same one.
    var withoutDerivedLegacy: Document {
        var document = self
        document.legacy = nil
        var source = PrinceExport.Source([document])
        source.clients = .all
        return PrinceExport(source).document.legacy?[platform] == legacy ? document : self
    }
}
