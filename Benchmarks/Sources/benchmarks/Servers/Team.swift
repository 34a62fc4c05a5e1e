import PlimsollDomain
import PlimsollJSON

/// Those who change apps at the REST interface of a running service.
struct Team {
    let admin: Person
    let proposer: Person
    let approver: Person
    let responder: Person

    /// Lets everybody else in, under names that no former run on the same log has taken.
    init(of service: RunningService, adminToken: String) throws {
        let rest = try HTTPConnection(port: service.rest)
        admin = Person(token: adminToken, connection: rest)
        let run = String(UInt32.random(in: 0...UInt32.max), radix: 16)
        proposer = try admin.admit("Alice \(run)", as: "proposer")
        approver = try admin.admit("Bob \(run)", as: "approver")
        responder = try admin.admit("Rita \(run)", as: "responder")
    }

    /// Answers the change.
    func propose(
        _ title: String,
        _ operations: [JSONValue],
        to app: AppSlug,
        schedule: JSONValue = .null
    ) throws -> JSONValue {
        try proposer.send(
            "POST",
            "/v1/apps/\(app)/changes",
            [
                "title": .string(title), "reason": "Versions before it can lose a booking.",
                "base": try position(of: app), "operations": .array(operations),
                "schedule": schedule,
            ]
        )
    }

    func position(of app: AppSlug) throws -> JSONValue {
        try known(try admin.send("GET", "/v1/apps/\(app)")["position"], "a position")
    }

    func approve(_ change: JSONValue) throws {
        let id = try known(change["id"]?.string, "a change")
        let digest = try known(change["digest"]?.string, "a digest")
        _ = try approver.send(
            "POST",
            "/v1/changes/\(id)/approve",
            [:],
            fields: [("If-Match", "\"\(digest)\"")]
        )
    }
}
