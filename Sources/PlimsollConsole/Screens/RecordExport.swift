import HTTPTypes
import Hummingbird
import PlimsollDomain

/// The record as a file, whole, as the interface streams it.
enum RecordExport {
    static let routes = [route("csv", "text/csv"), route("ndjson", "application/x-ndjson")]

    private static func route(_ form: String, _ mediaType: String) -> Route {
        Route(method: .get, path: "/history/export.\(form)") { visit in
            var response = try await visit.stream(
                FormFields(RecordFilter(visit.query).pairs),
                [.accept: "\(mediaType), application/problem+json"]
            )
            if response.status == .ok {
                let day = visit.now.rfc3339.prefix(10)
                response.headers[.contentDisposition] =
                    "attachment; filename=\"plimsoll-history-\(day).\(form)\""
            }
            return .stream(response)
        }
    }
}
