import Foundation
import PlimsollJSON

/// Takes one change after the other down the road from its approval to the phones.
final class Traveller {
    private let admin: Person
    private let proposer: Person
    private let approver: Person
    private let edge: HTTPConnection
    private var tag: String
    private var number = 0

    private static let languages = ["en-GB", "en", "cy", "de", "ar"]
    private static let app = "/v1/apps/harbour"
    private static let patience = Duration.seconds(10)

    init(_ service: RunningService) throws {
        let rest = try HTTPConnection(port: service.rest)
        admin = try Person(token: service.adminToken, connection: rest)
        proposer = try admin.admit("Alice", as: "proposer")
        approver = try admin.admit("Bob", as: "approver")
        edge = try HTTPConnection(port: service.edge)
        let answer = try edge.send("GET", RunningService.documentPath)
        tag = try known(answer.fields["etag"], "an entity tag")
    }

    /// How long it took from the approval until a phone was answered with new signed bytes.
    func travel() throws -> Duration {
        let change = try propose()
        let id = try known(change["id"]?.string, "a change")
        let digest = try known(change["digest"]?.string, "a digest")
        let start = ContinuousClock.now
        _ = try approver.send(
            "POST",
            "/v1/changes/\(id)/approve",
            [:],
            fields: [("If-Match", "\"\(digest)\"")]
        )
        while start.duration(to: .now) < Self.patience {
            let answer = try edge.send(
                "GET",
                RunningService.documentPath,
                fields: [("If-None-Match", tag)]
            )
            if answer.status == 200 {
                let duration = start.duration(to: .now)
                tag = try known(answer.fields["etag"], "an entity tag")
                // What was published before the approval may come late.
                if try says(answer) { return duration }
            }
            // Asking all the time would take a processor from those who work.
            Thread.sleep(forTimeInterval: 0.000_2)
        }
        throw Failure(sentence: "change \(id) did not come to the edge")
    }

    private func says(_ answer: HTTPAnswer) throws -> Bool {
        _ = try known(answer.fields["x-amz-meta-signature"], "a signature")
        return String(decoding: answer.body, as: UTF8.self).contains(words("en"))
    }

    private func propose() throws -> JSONValue {
        number += 1
        let base = try known(try admin.send("GET", Self.app)["position"], "a position")
        let version: JSONValue = [
            "op": "setValue", "platform": "ios", "threshold": "minimumApp",
            "value": .string("3.\(number).0"),
        ]
        let texts = Self.languages.map { language -> JSONValue in
            [
                "op": "setText", "platform": "ios", "threshold": "minimumApp",
                "part": "description", "language": .string(language),
                "text": .string(words(language)),
            ]
        }
        return try proposer.send(
            "POST",
            "\(Self.app)/changes",
            [
                "title": .string("Raise the line to 3.\(number).0"),
                "reason": "Versions before it can lose a booking.", "base": base,
                "operations": .array([version] + texts),
            ]
        )
    }

    private func words(_ language: String) -> String {
        "Versions before 3.\(number).0 can lose a booking (\(language), \(number))."
    }
}
