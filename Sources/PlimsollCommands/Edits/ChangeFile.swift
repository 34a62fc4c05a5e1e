import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

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
        title = reader.optionalTitle("title")
        reason = reader.optionalReason("reason")
        base = reader.optionalPosition("base")
        let operations = reader.objects("operations", .refused, Operation.init)
        schedule = reader.optionalObject("schedule", Schedule.init)
        self.operations = try reader.finish { operations }
    }
}
