package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let edges: [any EndpointDeclaration] = [getEdges]

    package static let getEdges = Read<NoNames, EdgeReport>(
        .get("getEdges", "/v1/edges"),
        "What the edges that follow this instance last said: how many there are, which lag, and which are"
            + " silent."
    )
}

/// What an edge says of itself and of all edges below it.
package struct EdgeReport: Equatable, Sendable {
    /// An edge that serves an older snapshot than the one above it.
    package struct Lag: Equatable, Sendable {
        /// From the edge that says it down to the one that lags.
        package let path: [String]
        package let app: AppSlug
        /// `nil` where it serves nothing of the app.
        package let sequence: SnapshotSequence?

        package init(path: [String], app: AppSlug, sequence: SnapshotSequence?) {
            (self.path, self.app, self.sequence) = (path, app, sequence)
        }
    }

    package let name: String
    /// Which snapshot of each app that it follows; `nil` where it has none yet.
    package let serves: [AppSlug: SnapshotSequence?]
    /// How many edges there are, itself and all below it.
    package let edges: Int
    /// How many levels they stand in.
    package let depth: Int
    /// The first of them, in the order of their names.
    package let lagging: [Lag]
    /// Those below it that have said nothing for a while.
    package let silent: [String]

    package init(
        name: String,
        serves: [AppSlug: SnapshotSequence?],
        edges: Int,
        depth: Int,
        lagging: [Lag],
        silent: [String]
    ) {
        (self.name, self.serves, self.edges, self.depth) = (name, serves, edges, depth)
        (self.lagging, self.silent) = (lagging, silent)
    }
}

extension EdgeReport {
    /// However many edges there are below, no report is longer.
    package static let sizeMaximum = 64 << 10
    package static let namedMaximum = 32
    package static let nameGrammar =
        "1 to 100 letters, digits, dots, colons, hyphens or underscores"

    package static func isName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ":"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    package var json: JSONObject {
        [
            "name": .string(name),
            "serves": .object(
                JSONObject(
                    serves.sorted { $0.key < $1.key }.map {
                        JSONObject.Member(key: $0.key.text, value: Self.json($0.value))
                    }
                )
            ),
            "edges": .integer(Int64(edges)),
            "depth": .integer(Int64(depth)),
            "lagging": .array(
                lagging.map { lag in
                    .object([
                        "path": .array(lag.path.map { .string($0) }),
                        "app": .string(lag.app.text),
                        "sequence": Self.json(lag.sequence),
                    ])
                }
            ),
            "silent": .array(silent.map { .string($0) }),
        ]
    }

    private static func json(_ sequence: SnapshotSequence?) -> JSONValue {
        sequence.map { .integer($0.rawValue) } ?? .null
    }

    /// Where no edge is answered.
    package static let ofNobody = EdgeReport(
        name: "here",
        serves: [:],
        edges: 1,
        depth: 1,
        lagging: [],
        silent: []
    )

    /// What it says of some apps.
    package func limited(to isKnown: (AppSlug) -> Bool) -> EdgeReport {
        EdgeReport(
            name: name,
            serves: serves.filter { isKnown($0.key) },
            edges: edges,
            depth: depth,
            lagging: lagging.filter { isKnown($0.app) },
            silent: silent
        )
    }

    /// Members that a later program adds are passed over.
    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes)
        reader.isLenient = true
        let report = reader.edgeReport()
        self = try reader.finish(.ignored) { report }
    }
}

/// Read and written by hand: sequences stand under the names of the apps.
extension EdgeReport: Answer, Shaped {
    package static let shape = Shape<Self>(
        "EdgeReport",
        byHand: [
            .required("name", .string), .required("serves", .anyObject),
            .required("edges", .integer(from: 1)), .required("depth", .integer(from: 1)),
            .required(
                "lagging",
                .array(
                    of: .object([
                        .required("path", .array(of: .string)), .required("app", .slug),
                        .required("sequence", .nullable(.integer(from: 1))),
                    ])
                )
            ),
            .required("silent", .array(of: .string)),
        ]
    )

    package init?(_ reader: inout ObjectReader) {
        guard let report = reader.edgeReport() else { return nil }
        self = report
    }
}

extension ObjectReader {
    fileprivate mutating func edgeReport() -> EdgeReport? {
        let name = edgeName("name")
        let serves = sequences("serves")
        let edges = count("edges")
        let depth = count("depth")
        let lagging = objects("lagging", .ignored) { $0.lag() }
        let silent = strings("silent", needing: EdgeReport.nameGrammar, Self.name)
        guard let name, let serves, let edges, let depth, let lagging, let silent else {
            return nil
        }
        return EdgeReport(
            name: name,
            serves: serves,
            edges: edges,
            depth: depth,
            lagging: Array(lagging.prefix(EdgeReport.namedMaximum)),
            silent: Array(silent.prefix(EdgeReport.namedMaximum))
        )
    }

    private mutating func sequences(_ key: String) -> [AppSlug: SnapshotSequence?]? {
        let object = member(key, needing: "an object of sequences by app") { $0.object }
        guard let object else { return nil }
        var found: [AppSlug: SnapshotSequence?] = [:]
        for member in object.members {
            let place = pointer.appending(key).appending(member.key)
            let sequence = member.value.integer.flatMap(SnapshotSequence.init(rawValue:))
            if sequence == nil, member.value != .null {
                refuse(.mismatch(member.value, needed: "a number above 0, or null", at: place))
            } else if let app = AppSlug(member.key) {
                found.updateValue(sequence, forKey: app)
            } else {
                let detail = "This is the name of no app; \(AppSlug.grammar) are needed."
                refuse(JSONIssue(pointer: place, detail: detail))
            }
        }
        return found.count == object.members.count ? found : nil
    }

    private mutating func lag() -> EdgeReport.Lag? {
        let path = strings("path", needing: EdgeReport.nameGrammar, Self.name)
        let app = string("app", needing: AppSlug.grammar, AppSlug.init)
        let sequence = optionalMember("sequence", needing: "a number above 0") {
            $0.integer.flatMap(SnapshotSequence.init(rawValue:))
        }
        guard let path, let app else { return nil }
        return EdgeReport.Lag(path: Array(path.prefix(16)), app: app, sequence: sequence)
    }

    private mutating func edgeName(_ key: String) -> String? {
        string(key, needing: EdgeReport.nameGrammar, Self.name)
    }

    private static func name(_ text: String) -> String? { EdgeReport.isName(text) ? text : nil }

    /// A million edges are more than anybody has, and sums of them still fit.
    private mutating func count(_ key: String) -> Int? {
        member(key, needing: "a number from 1 to 1000000") { value in
            value.integer.flatMap { (1...1_000_000).contains($0) ? Int($0) : nil }
        }
    }
}
