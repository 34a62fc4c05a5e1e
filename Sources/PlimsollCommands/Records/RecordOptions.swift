import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain

/// Which events of the record.
struct RecordOptions: ParsableArguments {
    @Option(parsing: .singleValue, help: "Only events of this type; may be repeated.")
    var type: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Only what this principal did, by name or id.", valueName: "who")
    )
    var actor: [String] = []
    @Option(
        help: ArgumentHelp(
            "From then on, that included: 24h, yesterday, a date, a time or a position.",
            valueName: "moment"
        ),
        transform: RecordBound.init(beginning:)
    )
    var since: RecordBound?
    @Option(
        help: ArgumentHelp("Up to then, that included; a day to its end.", valueName: "moment"),
        transform: RecordBound.init(end:)
    )
    var until: RecordBound?
    @Option(parsing: .singleValue, help: "Only what concerns this app; may be repeated.")
    var app: [AppSlug] = []
    @Option(parsing: .singleValue, help: "Only what wrote a field of this platform.")
    var platform: [Platform] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Only what wrote this field.", valueName: "ios.minimumApp.value")
    )
    var field: [Field] = []
    @Option(parsing: .singleValue, help: "Only what belongs to this change.")
    var change: [ChangeID] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Only what was done in one action.", valueName: "uuid")
    )
    var correlation: [Correlation] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Only what has these words in its reason.", valueName: "words")
    )
    var reason: [String] = []

    /// The field, where nothing but one field of one app is asked for.
    var onlyField: Field? {
        let others = type.count + actor.count + platform.count + change.count
        guard
            field.count == 1, app.count <= 1, others == 0, correlation.isEmpty, reason.isEmpty,
            since == nil, until == nil
        else { return nil }
        return field[0]
    }

    func validate() throws {
        for name in type where !EventBody.types.contains(name) {
            let names = EventBody.types.joined(separator: ", ")
            throw ValidationError("--type \(legible(name)) does not exist; there are \(names).")
        }
        guard !reason.contains("") else { throw ValidationError("--reason needs a word.") }
    }

    /// The filter; people are named as whoever types knows them.
    func filter(_ people: People) throws -> EventFilter {
        var filter = EventFilter()
        filter.apps = app
        filter.types = type
        (filter.platforms, filter.fields, filter.changes) = (platform, field, change)
        (filter.correlations, filter.reasons) = (correlation.map(\.id), reason)
        filter.since = since?.bound
        filter.until = until?.bound
        for name in actor {
            let found = people.principals(named: name)
            guard !found.isEmpty else {
                throw Failure(
                    .failed,
                    "There is nobody called \"\(legible(name))\" whose name you may see.",
                    next: "plimsoll principal list"
                )
            }
            filter.actors += found
        }
        return filter
    }
}

/// An end of a span of the record, as it is written on the command line.
struct RecordBound {
    let bound: EventFilter.Bound

    init(beginning text: String) throws {
        bound =
            try Position(argument: text).map(EventFilter.Bound.position)
            ?? .time(moment(text, .past).start)
    }

    init(end text: String) throws {
        bound =
            try Position(argument: text).map(EventFilter.Bound.position)
            ?? .time(moment(text, .past).end)
    }
}

/// The id that all events of one action share.
struct Correlation: ExpressibleByArgument {
    let id: UUID

    init?(argument: String) {
        guard let id = UUID(uuidString: argument) else { return nil }
        self.id = id
    }
}
