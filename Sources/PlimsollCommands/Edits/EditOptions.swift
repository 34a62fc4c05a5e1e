import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// What is to change, on the command line or in a file, and on what it is based.
struct EditOptions: ParsableArguments {
    @Option(help: "The platform of paths that name none.")
    var platform: Platform?
    @Option(
        name: .customLong("set"),
        parsing: .singleValue,
        help: ArgumentHelp("Set a value; may be repeated.", valueName: "path=value")
    )
    var values: [String] = []
    @Option(
        name: .customLong("text"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "Set a text, from a file with =@file; may be repeated.",
            valueName: "path=text"
        )
    )
    var texts: [String] = []
    @Option(
        name: .customLong("clear"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "Clear a threshold with its texts, threshold.value alone, offers, legacy or packages.",
            valueName: "threshold"
        )
    )
    var clears: [String] = []
    @Option(
        name: .customLong("remove-text"),
        parsing: .singleValue,
        help: ArgumentHelp("Remove a text; may be repeated.", valueName: "path")
    )
    var removals: [String] = []
    @Option(
        name: .customLong("offers"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "Set all offers of a platform from a JSON file; may be repeated.",
            valueName: "platform=@file"
        )
    )
    var offers: [String] = []
    @Option(
        help: ArgumentHelp(
            "Set what marketplaces offer, by AppleVersionIDs with commas between them.",
            valueName: "versions"
        )
    )
    var packages: String?
    @Option(help: ArgumentHelp("A proposal as JSON, as the API takes it.", valueName: "path"))
    var file: String?
    @Option(help: ArgumentHelp("The position of the state it is based on.", valueName: "position"))
    var base: Position?

    private var arguments: EditArguments {
        EditArguments(
            clears: clears,
            values: values,
            texts: texts,
            removals: removals,
            offers: offers,
            packages: packages
        )
    }

    /// Whether nothing is said of what is to change.
    var isEmpty: Bool { arguments.isEmpty && file == nil }

    func requireEdits() throws {
        if isEmpty {
            throw ValidationError(
                "Say what to change: --set, --text, --remove-text, --clear, --offers, --packages or"
                    + " --file."
            )
        }
    }

    /// What stands in the file, if one is named.
    func written() throws -> ChangeFile? { try file.map(changeFile) }

    /// The edits of the file, then those of the command line, whose files are read here.
    func operations(_ written: ChangeFile?) throws -> [Operation] {
        let edits = try arguments.operations(on: platform) { try contents(of: $0) }
        return (written?.operations ?? []) + edits
    }

    private func changeFile(_ path: String) throws -> ChangeFile {
        do {
            return try ChangeFile(parsing: try contents(of: path))
        } catch let issues as JSONIssues {
            throw Failure(.failed, "\(path) is not a proposal.", checks: issues.checks)
        }
    }
}

extension [Operation] {
    /// Other operations and then these, which take the place of what was written to the same fields.
    func taking(thePlaceIn others: [Operation]) -> [Operation] {
        others.filter { old in
            !contains { $0.place == old.place && ($0.field ?? old.field) == old.field }
        } + self
    }
}

/// A proposal in a file: the body of the request, of which everything but the operations may be
/// left to the command line.
struct ChangeFile: Equatable {
    let title: Title?
    let reason: Reason?
    let base: Position?
    let operations: [Operation]
    let schedule: Schedule?

    init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes)
        title = reader.optionalMember("title", .title)
        reason = reader.optionalMember("reason", .reason)
        base = reader.optionalMember("base", .position)
        let operations = reader.objects("operations", .refused, Operation.init)
        schedule = reader.optionalObject("schedule", Schedule.init)
        self.operations = try reader.finish { operations }
    }
}

extension FieldChange {
    /// The sentence, and below it every word that goes and comes: whoever approves has seen them.
    var lines: [String] {
        [sentence] + words(before, "-") + words(after, "+")
    }

    private func words(_ value: FieldValue?, _ sign: String) -> [String] {
        switch value {
        case .text(let text):
            text.text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.isEmpty ? "  \(sign)" : "  \(sign) \(legible($0))"
            }
        case .offers(let offers): offers.flatMap(\.lines).map { "  \(sign) \(legible($0))" }
        case .version, .legacy, .packages, nil: []
        }
    }
}

extension [FieldChange] {
    var blocks: [Report.Block] {
        sorted { Field.precedesInReading($0.field, $1.field) }.flatMap(\.lines)
            .map(Report.Block.line)
    }

    var json: JSONValue { JSONValue(self) }
}

/// Reads `ios=@offers.json`: the list of offers that takes the place of the platform's.
func settingOffers(_ text: String, _ file: (String) throws -> [UInt8]) throws -> Operation {
    let example = "--offers ios=@offers.json"
    let (name, value) = try assignment(text, example)
    guard let platform = Platform(rawValue: name) else {
        let names = Platform.allCases.map(\.rawValue).joined(separator: ", ")
        throw PathFault("\(legible(name)) is no platform; those are \(names).")
    }
    guard value.hasPrefix("@") else {
        throw PathFault("\(legible(name)): offers stand in a file; write it as \(example).")
    }
    let path = String(value.dropFirst())
    let bytes = try file(path)
    do throws(JSONIssues) {
        return Operation(platform, offers: .set(try offers(in: bytes, on: platform)))
    } catch {
        let detail = error.checks.map(\.detail).joined(separator: " ")
        throw PathFault("\(legible(path)) has no list of offers. \(detail)")
    }
}

/// The list that the API takes as `offers`, or the one that `plimsoll get --field ios.offers --json`
/// prints; members may have the names of the format.
private func offers(in bytes: [UInt8], on platform: Platform) throws(JSONIssues) -> [Offer] {
    let list: JSONValue
    do throws(JSONError) {
        list = try JSONValue(parsing: bytes)
    } catch {
        throw JSONIssues(error)
    }
    return try offers(list, on: platform)
}

/// The same of what was read already.
func offers(_ list: JSONValue, on platform: Platform) throws(JSONIssues) -> [Offer] {
    var reader = ObjectReader(["offers": list.offersAsTheAPIHasThem(on: platform)])
    let offers = reader.offers("offers", on: platform)
    return try reader.finish { offers }
}

extension JSONValue {
    /// A list of offers as people write it: with the names that members have in the document for
    /// Prince of Versions, versions in fewer than three numbers, and within what `get` prints.
    func offersAsTheAPIHasThem(on platform: Platform) -> JSONValue {
        let list = object?["field"] == nil ? self : object?["value"] ?? self
        guard let offers = list.array else { return list }
        return .array(
            offers.map { offer in
                offer.object.map { .object($0.offerAsTheAPIHasIt(on: platform)) } ?? offer
            }
        )
    }
}

extension JSONObject {
    private static let names = [
        "required_version": "requiredVersion", "last_version_available": "lastVersion",
        "notify_last_version_frequency": "notification", "meta": "metadata",
    ]

    /// A member that stands under both names stays where it is, and is refused as unknown.
    fileprivate func offerAsTheAPIHasIt(on platform: Platform) -> JSONObject {
        var offer = JSONObject()
        for member in members {
            let known = Self.names[member.key] ?? member.key
            let name = self[known] == nil ? known : member.key
            switch name {
            case "requiredVersion", "lastVersion": offer[name] = member.value.inThreeNumbers
            case "requirements": offer[name] = member.value.requirementsAsTheAPIHasThem
            default: offer[name] = member.value
            }
        }
        return offer
    }
}

extension JSONValue {
    private static let systems = ["required_os_version", "required_jvm_version"]

    fileprivate var requirementsAsTheAPIHasThem: JSONValue {
        guard var requirements = object else { return self }
        let isOfTheFormat = Self.systems.contains { requirements[$0] != nil }
        guard isOfTheFormat else {
            requirements["os"] = requirements["os"]?.inThreeNumbers
            return .object(requirements)
        }
        var (said, custom) = (JSONObject(), JSONObject())
        for member in requirements.members {
            if Self.systems.contains(member.key) {
                said["os"] = member.value.inThreeNumbers
            } else {
                custom[member.key] = member.value
            }
        }
        if !custom.isEmpty { said["custom"] = .object(custom) }
        return .object(said)
    }

    /// `3.2` is 3.2.0, and `17` is 17.0.0; whatever is no such version is left to the reader.
    fileprivate var inThreeNumbers: JSONValue {
        guard let written = string else { return self }
        let sides = written.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let version = AppleVersion(String(sides[0])),
            let plain = OfferVersion(.dotted(version))
        else { return self }
        return .string(sides.count == 1 ? "\(plain)" : "\(plain)-\(sides[1])")
    }
}
