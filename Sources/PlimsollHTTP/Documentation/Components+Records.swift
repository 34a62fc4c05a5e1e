import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Events and what was published.
extension Components {
    static let records: [(String, Schema)] = [
        (
            "Event",
            .object([
                .required("position", .position), .required("id", .uuid),
                .required("type", .names(EventBody.types)), .required("stream", .string),
                .required("revision", .integer(from: 1)), .required("recordedAt", .instant),
                .required("command", .uuid), .required("data", .anyObject),
                .required("actor", .principal), .required("token", .nullable(.uuid)),
                .required("request", .nullable(.string)), .required("correlation", .uuid),
                .required("causation", .nullable(.uuid)),
                .required("reason", .nullable(.reason)), .required("app", .nullable(.slug)),
                .required("change", .nullable(.change)),
                .required("fields", .array(of: .reference("FieldChange"))),
                .required("differences", .array(of: .reference("Difference"))),
                .required("sentence", .string),
            ])
        ),
        (
            "Difference",
            .object([
                .required("member", .string), .required("subject", .string),
                .required("before", .nullable(.string)), .required("after", .nullable(.string)),
            ])
        ),
        ("EventList", .list("events", "Event", .paged)),
        (
            "Snapshot",
            .object([
                .required("app", .slug), .required("sequence", .sequence),
                .required("position", .position), .required("manifestDigest", .digest),
                .required("keys", .array(of: .uuid)), .required("publishedAt", .instant),
            ])
        ),
        ("SnapshotList", .list("snapshots", "Snapshot", .paged)),
    ]
}
